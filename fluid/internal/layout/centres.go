package layout

// Values are a component's: in a block of n³ cells n+1 along its axis and n+2 across, x fastest.
func (t *Tile) Values(axis int) []float32 {
	third := len(t.t) / 3
	return t.t[axis*third:][:third]
}

// Middles are the velocity in the middle of each cell of a block, m/s, per component; x fastest.
type Middles [3][room]float32

// Middles sets m to what Centre says of the tile's cells.
func (t *Tile) Middles(m *Middles) {
	for a := range m {
		s, c := &shapes[t.n][a], t.Values(a)
		middles(m[a][:t.n*t.n*t.n], c[s.face[0]:], t.n, int(s.dy), int(s.dz), int(s.along))
	}
}

// middles sets dst to the means of the two values on the sides of each cell of a block of n³, step apart. The first one's lies at the
// beginning of src, and rows and planes dy and dz apart. It exists in plain Go, here, and in assembly for processors with AVX2; both
// give the same bits.
var middles = middlesGo

func middlesGo(dst, src []float32, n, dy, dz, step int) {
	for z := range n {
		for y := range n {
			low := src[dy*y+dz*z:][:n+step]
			for x := range n {
				dst[x+n*(y+n*z)] = .5 * (low[x] + low[x+step])
			}
		}
	}
}
