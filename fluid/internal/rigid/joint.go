package rigid

// Joint is one group of rows J with J·V = 0 between bodies A and B: linear a, angular
// a, linear b, angular b.
type Joint struct {
	A, B int32
	N    int
	Kind Kind
	Rows [6][12]float64
	// Press is the impulse, N·s, that a row that Pushes is expected to take: how contacts share a load, or wedge a body,
	// velocities alone don't tell.
	Press float64
	// Friction and Points are of what Rubs: it bears no more than Friction times the impulses of the Points joints right
	// before it, which push.
	Friction float64
	Points   int
}

// Kind tells when a joint's rows hold.
type Kind uint8

// The kinds of joint.
const (
	Holds  Kind = iota // always
	Pushes             // a point of contact, of one row, positive where B leaves A: as long as it pushes
	Rubs               // friction at such points: as long as it does not slide
)
