package rigid

// Joint is one group of rows J with J·V = 0 between bodies A and B: linear a, angular
// a, linear b, angular b.
type Joint struct {
	A, B int32
	N    int
	Kind Kind
	Rows [6][12]float64
	// Expected is the impulse, N·s, that a Unilateral row is expected to take: how contacts share a load, or wedge a body,
	// does not follow from velocities alone.
	Expected float64
	// Friction and Points are of Frictional joints: one bears no more than Friction times the impulses of the Points joints right
	// before it, which push.
	Friction float64
	Points   int
	// Taken is, out, the impulse along each row, N·s, of joints that hold, and of friction that Slides.
	Taken  [6]float64
	Slides bool
}

// Kind tells when a joint's rows hold.
type Kind uint8

// The kinds of joint.
const (
	Bilateral  Kind = iota // always
	Unilateral             // a point of contact, of one row, positive where B leaves A: as long as it pushes
	Frictional             // friction at such points: as long as it does not slide
)
