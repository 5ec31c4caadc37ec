package blocks

import "gonum.org/v1/gonum/spatial/r3"

// nearCell is a cell that a solid comes near to, and what the solid fills of it.
type nearCell struct {
	cell  int32
	at    [3]int
	solid float64 // fraction of the volume
	x     r3.Vec  // centroid of the solid part, m
}

// addCell puts a cell on the list.
func (s *scratch) addCell(k *block, at [3]int, cell int32) {
	s.near = append(s.near, nearCell{cell: cell, at: at})
	s.pts = append(s.pts, k.centre(at[0], at[1], at[2]))
}

// pokes, in cells, is how far the middle of a cell whose corners are all on one side may be from a solid's
// surface that an edge of still comes into the cell.
const pokes = .25

// cutCells measures s.near, whose middles are s.pts.
func (s *scratch) cutCells(f Distance, k *block) {
	s.ask(f)
	middle := s.mids[:copy(s.mids[:], s.dist[:len(s.pts)])]
	s.cubes = s.cubes[:0]
	for i := range s.near {
		c := &s.near[i]
		p := cube{lo: r3.Vec{X: float64(c.at[0]), Y: float64(c.at[1]), Z: float64(c.at[2])}, edge: 1, cell: c, middle: float64(middle[i]) / k.h, mixed: true}
		s.corners(&p.d, k, c.at)
		if s.crossed(c.at, 1, 0) {
			s.confineCell(&p, k)
		}
		switch lo, hi := extent(&p.d); {
		case lo >= 0 && p.middle >= pokes:
			c.solid, c.x = 0, k.point(p.place(.5, .5, .5))
		case hi <= 0 && p.middle <= -pokes:
			c.solid, c.x = 1, k.point(p.place(.5, .5, .5))
		default:
			if s.cubes = append(s.cubes, p); len(s.cubes) == cellsAtOnce {
				s.cutCubes(f, k)
			}
		}
	}
	s.cutCubes(f, k)
}

// cube is a cell that is cut, or a part of one.
type cube struct {
	lo       r3.Vec     // its low corner, in cells from the block's
	edge     float64    // cells
	d        [8]float64 // distance at its corners, cells
	middle   float64    // and at its middle
	mixed    bool       // its corners are not all on one side, or it is a cell
	confined bool       // a side of the domain runs through the cell
	solid    float64    // the part that is solid
	x        r3.Vec     // and that part's centroid, in cells from the block's low corner
	cell     *nearCell
	parts    []cube // its eighths, if it is cut up
}

// place is some edges from the cube's low corner, in cells from the block's.
func (p *cube) place(x, y, z float64) r3.Vec {
	return r3.Vec{X: p.lo.X + x*p.edge, Y: p.lo.Y + y*p.edge, Z: p.lo.Z + z*p.edge}
}

// cutCubes measures the cells in s.cubes, and empties it.
func (s *scratch) cutCubes(f Distance, k *block) {
	cells := s.cubes
	for lo, depth := 0, 0; lo < len(s.cubes); depth++ {
		level := s.cubes[lo:]
		lo = len(s.cubes)
		s.pts = s.pts[:0]
		for i := range level {
			if p := &level[i]; p.mixed {
				s.measureCube(p, k, depth)
			}
		}
		s.ask(f)
		at := 0
		for i := range level {
			if p := &level[i]; p.parts != nil {
				s.confine(p.confined, at, len(asked))
				p.split((*[len(asked)]float32)(s.dist[at:]), k.h)
				at += len(asked)
				if depth+1 == s.finest {
					p.finish()
				}
			}
		}
	}
	for i := len(s.cubes) - 1; i >= 0; i-- {
		if p := &s.cubes[i]; p.parts != nil {
			p.join()
		}
	}
	for i := range cells {
		p := &cells[i]
		p.cell.solid, p.cell.x = p.solid, k.point(p.x)
	}
	s.cubes = s.cubes[:0]
}

// measureCube measures a cube, or has it cut into eight: it makes room for them and adds the points to be asked about.
func (s *scratch) measureCube(p *cube, k *block, depth int) {
	if !s.bent(depth, p.mean(), p.middle, p.edge) {
		p.measure()
		return
	}
	s.pts = p.ask(s.pts, k)
	if depth+1 == s.finest {
		p.parts = s.eighths[:]
		return
	}
	n := len(s.cubes)
	s.cubes = s.cubes[:n+8]
	p.parts = s.cubes[n:]
}

// mean is that of the distances at the corners, in cells.
func (p *cube) mean() float64 {
	return (p.d[0] + p.d[1] + p.d[2] + p.d[3] + p.d[4] + p.d[5] + p.d[6] + p.d[7]) / 8
}

// measure measures a cube that is not cut up.
func (p *cube) measure() {
	edges := 1 / p.edge // exact: a power of two
	e := bulge(p.mean()*edges, p.middle*edges)
	d := p.d
	for i := range d {
		d[i] = d[i]*edges - e
	}
	solid, u, v, w := octants(&d)
	p.solid, p.x = solid, p.place(u, v, w)
}

// finish measures a cube whose parts are cut no more; they are needed no more, either.
func (p *cube) finish() {
	for o := range p.parts {
		if part := &p.parts[o]; part.mixed {
			part.measure()
		}
	}
	p.join()
	p.parts = nil
}

// asked is the points that a cube that is cut into eight is asked about, in quarters of its edge: of its 3³ points those
// that are neither its corners nor its middle, then the middles of the eight.
var asked = [26][3]uint8{
	{2, 0, 0}, {0, 2, 0}, {2, 2, 0}, {4, 2, 0}, {2, 4, 0},
	{0, 0, 2}, {2, 0, 2}, {4, 0, 2}, {0, 2, 2}, {4, 2, 2}, {0, 4, 2}, {2, 4, 2}, {4, 4, 2},
	{2, 0, 4}, {0, 2, 4}, {2, 2, 4}, {4, 2, 4}, {2, 4, 4},
	{1, 1, 1}, {3, 1, 1}, {1, 3, 1}, {3, 3, 1}, {1, 1, 3}, {3, 1, 3}, {1, 3, 3}, {3, 3, 3},
}

// ask appends the points to be asked about, m.
func (p *cube) ask(pts []r3.Vec, k *block) []r3.Vec {
	var x, y, z [8]float64
	for i := range 5 {
		at := k.point(p.place(float64(i)/4, float64(i)/4, float64(i)/4))
		x[i], y[i], z[i] = at.X, at.Y, at.Z
	}
	n := len(pts)
	pts = pts[:n+len(asked)]
	for i, q := range &asked {
		pts[n+i] = r3.Vec{X: x[q[0]&7], Y: y[q[1]&7], Z: z[q[2]&7]}
	}
	return pts
}

// Of the 3³ points, numbered with x fastest: the cube's corners, its middle and those between; each part's low
// corner, the way from there to its corners, and its corners as bits.
const middle = 13

var (
	corners    = [8]int{0, 2, 6, 8, 18, 20, 24, 26}
	between    = [18]int{1, 3, 4, 5, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 21, 22, 23, 25}
	partFirst  = [8]int{0, 1, 3, 4, 9, 10, 12, 13}
	partStep   = partFirst
	partPoints = func() (m [8]uint32) {
		for o, first := range partFirst {
			for _, step := range partStep {
				m[o] |= 1 << (first + step)
			}
		}
		return m
	}()
)

// split makes the eight parts from the distances, m, at the points.
func (p *cube) split(dist *[len(asked)]float32, h float64) {
	var d [32]float64
	for i, point := range &between {
		d[point&31] = float64(dist[i]) / h
	}
	for i, point := range &corners {
		d[point&31] = p.d[i]
	}
	d[middle] = p.middle
	solid, open := uint32(0), uint32(0) // the points that are, as bits
	for i, v := range d[:27] {
		solid |= bit(v < 0) << i
		open |= bit(v > 0) << i
	}
	for o := range p.parts {
		part := &p.parts[o]
		part.lo = p.place(float64(o&1)/2, float64(o>>1&1)/2, float64(o>>2)/2)
		part.edge, part.confined, part.parts = p.edge/2, p.confined, nil
		if part.mixed = solid&partPoints[o] != 0 && open&partPoints[o] != 0; part.mixed {
			for i, step := range partStep {
				part.d[i] = d[(partFirst[o]+step)&31]
			}
			part.middle = float64(dist[len(between)+o]) / h
			continue
		}
		part.solid, part.x = 0, part.place(.5, .5, .5)
		if solid&partPoints[o] != 0 {
			part.solid = 1
		}
	}
}

// bit is 1 or 0.
func bit(set bool) (b uint32) {
	if set {
		b = 1
	}
	return b
}

// join sums the parts up.
func (p *cube) join() {
	p.solid, p.x = 0, r3.Vec{}
	for o := range p.parts {
		part := &p.parts[o]
		p.solid += part.solid / 8
		p.x = r3.Add(p.x, r3.Scale(part.solid/8, part.x))
	}
	p.x = r3.Scale(1/max(p.solid, least), p.x)
}
