package rigid

// Joint is one group of rows J with J·V = 0 between bodies A and B: linear a, angular
// a, linear b, angular b.
type Joint struct {
	A, B int32
	N    int
	Kind Kind
	Rows [6][12]float64
	// Expected is the expected impulse, N·s, of a Unilateral row: how contacts share a load, or wedge a body,
	// does not follow from velocities alone.
	Expected float64
	// Friction and Points belong to Frictional joints: such a joint bears at most Friction times the impulses of the Points joints right
	// before it.
	Friction float64
	Points   int
	// Impulse is, out, the impulse along each row, N·s, of joints that hold, and of friction that Slides.
	Impulse [6]float64
	Slides  bool
}

// Kind is the condition under which a joint's rows hold.
type Kind uint8

// The kinds of joint.
const (
	Bilateral  Kind = iota // always
	Unilateral             // one row of a contact point, positive where B leaves A: while it pushes
	Frictional             // friction at contact points: while it does not slide
)
