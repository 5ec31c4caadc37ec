package amg

import "math"

// cell is a cube on a grid of mixed sizes: its lower corner and edge, in finest cells.
type cell struct{ x, y, z, edge int }

// problem is a test system: the cells, the matrix and the hierarchy.
type problem struct {
	cells  []cell
	m      Matrix
	levels []Level
}

const unit = 1.0 / 64 // edge of a finest cell, m

type element struct {
	col int32
	val float64
}

// grid returns the Laplacian on the given cells, walls everywhere, plus dirichlet(cell) times
// the conductance of a whole face on the diagonal. Faces between two sizes are composite.
func grid(cells []cell, dirichlet func(c cell) float64) *problem {
	p := &problem{cells: cells}
	at := map[[3]int]int32{}
	for i, c := range cells {
		at[[3]int{c.x, c.y, c.z}] = int32(i)
	}
	rows, diag := make([][]element, len(cells)), make([]float64, len(cells))
	add := func(i, j int32, v float64) {
		if i == j {
			diag[i] += v
		} else {
			rows[i] = append(rows[i], element{j, v})
		}
	}
	find := func(x, y, z, edge int) (int32, bool) {
		j, ok := at[[3]int{x, y, z}]
		return j, ok && cells[j].edge == edge
	}
	for n, c := range cells {
		i := int32(n)
		diag[i] += dirichlet(c) * unit * float64(c.edge)
		for axis := range 3 {
			for _, side := range []int{-1, 1} {
				q := [3]int{c.x, c.y, c.z}
				q[axis] += side * c.edge
				if j, ok := find(q[0], q[1], q[2], c.edge); ok {
					v := unit * float64(c.edge)
					add(i, i, v)
					add(i, j, -v)
					continue
				}
				half := c.edge / 2 // a composite face to four cells of half the edge
				o := [3]int{c.x, c.y, c.z}
				if side > 0 {
					o[axis] += c.edge
				} else {
					o[axis] -= half
				}
				var four []int32
				for k := range 4 {
					f := o
					f[(axis+1)%3] += (k & 1) * half
					f[(axis+2)%3] += (k >> 1) * half
					if j, ok := find(f[0], f[1], f[2], half); ok && half > 0 {
						four = append(four, j)
					}
				}
				if len(four) != 4 {
					continue
				}
				v := unit * float64(c.edge*c.edge) / (0.75 * float64(c.edge))
				add(i, i, v)
				for _, a := range four {
					add(i, a, -v/4)
					add(a, i, -v/4)
					for _, b := range four {
						add(a, b, v/16)
					}
				}
			}
		}
	}
	p.m = pack(rows, diag)
	p.coarsen()
	return p
}

func pack(rows [][]element, diag []float64) Matrix {
	m := Matrix{Diag: diag}
	for i, r := range rows {
		if i%PartRows == 0 {
			m.Part = append(m.Part, Rows{Ptr: []int32{0}})
		}
		p := &m.Part[i/PartRows]
		for _, e := range r {
			p.Col, p.Val = append(p.Col, e.col), append(p.Val, e.val)
		}
		p.Ptr = append(p.Ptr, int32(len(p.Col)))
	}
	m.paint(nil)
	return m
}

// paint makes unknowns red that have no red neighbour yet, and are not coupled.
func (m *Matrix) paint(k *Coupling) {
	black := make([]bool, len(m.Diag))
	if k.groups() > 0 {
		for _, i := range k.Col {
			black[i] = true
		}
	}
	m.Red = make([]bool, len(black))
	for i := range black {
		if m.Red[i] = !black[i]; m.Red[i] {
			col, _ := m.row(int32(i))
			for _, j := range col {
				black[j] = true
			}
		}
	}
}

// coarsen makes the levels: at each, eight cells of the smallest edge become one.
func (p *problem) coarsen() {
	cells := p.cells
	for edge := 1; ; edge *= 2 {
		l := Level{Size: make([]float32, len(cells))}
		for i, c := range cells {
			l.Size[i] = float32(unit * float64(c.edge))
		}
		if len(cells) <= 8 || edge > 1<<12 {
			p.levels = append(p.levels, l)
			return
		}
		l.Parent = make([]int32, len(cells))
		at := map[cell]int32{}
		var next []cell
		for i, c := range cells {
			if c.edge == edge {
				e := 2 * edge
				c = cell{c.x / e * e, c.y / e * e, c.z / e * e, e}
			}
			j, ok := at[c]
			if !ok {
				j = int32(len(next))
				at[c] = j
				next = append(next, c)
			}
			l.Parent[i] = j
		}
		p.levels = append(p.levels, l)
		cells = next
	}
}

func box(nx, ny, nz int) []cell {
	var cells []cell
	for z := range nz {
		for y := range ny {
			for x := range nx {
				cells = append(cells, cell{x, y, z, 1})
			}
		}
	}
	return cells
}

// top returns a free surface, p = 0, on the upper face of the cells at height y-1.
func top(y int) func(cell) float64 {
	return func(c cell) float64 {
		if c.y == y-1 {
			return 2
		}
		return 0
	}
}

// noise returns a fixed sequence in [-1, 1).
func noise(n int) []float64 {
	v, h := make([]float64, n), uint64(88172645463325252)
	for i := range v {
		h ^= h << 13
		h ^= h >> 7
		h ^= h << 17
		v[i] = float64(h>>11)/(1<<52) - 1
	}
	return v
}

// smooth returns a right-hand side like a step's: a bulk term of low frequency and noise
// at the surface and the walls.
func (p *problem) smooth() []float64 {
	b := noise(len(p.cells))
	for i, c := range p.cells {
		x, y, z := float64(c.x)*unit, float64(c.y)*unit, float64(c.z)*unit
		b[i] = 0.3*b[i] + math.Sin(5*x+2)*math.Cos(4*y) + math.Sin(3*z*y)
		b[i] *= float64(c.edge * c.edge * c.edge)
	}
	return b
}
