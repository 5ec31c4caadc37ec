package graph

import "github.com/meniscus3d/meniscus/fluid/internal/dense"

// patch is the liquid on the faces of some rows: per axis its mass, kg, and the centre of that, m.
type patch struct {
	mass   [3]float64
	centre [3][3]float64
}

// pushCubes is Push of cubes.
func (g *Graph) pushCubes(rows []int32, push *Push) {
	p, impulse := g.patchOf(rows, push.Density), push.Impulse
	var shift [3]float64
	for a := range 3 {
		if p.mass[a] > 0 {
			shift[a] = impulse[a] / max(p.mass[a], push.Least[a])
			// A uniform push acts at the centre of mass.
			y, z := (a+1)%3, (a+2)%3
			impulse[3+y] -= float64(impulse[a] * (p.centre[a][z] - push.About[z]))
			impulse[3+z] += float64(impulse[a] * (p.centre[a][y] - push.About[y]))
		}
	}
	spin := g.spinOf(rows, &p, push.Density, impulse[3:])
	g.eachHalf(rows, push.Density, func(f int32, _ float64) {
		a := g.Cubes.Axis[f]
		arm := p.arm(a, g.FaceCentre(int(f)))
		g.U[f] += float64((shift[a] + float64(spin[0]*arm[0]) + float64(spin[1]*arm[1]) + float64(spin[2]*arm[2])) / 2)
	})
}

func (g *Graph) patchOf(rows []int32, density float64) (p patch) {
	g.eachHalf(rows, density, func(f int32, half float64) {
		a := g.Cubes.Axis[f]
		p.mass[a] += half
		for d, x := range g.FaceCentre(int(f)) {
			p.centre[a][d] += float64(half * x)
		}
	})
	for a, mass := range p.mass {
		for d := range p.centre[a] {
			p.centre[a][d] /= max(mass, 1e-300)
		}
	}
	return p
}

// arm is the moment about the patch's centre of a unit force along axis a at x.
func (p *patch) arm(a uint8, x [3]float64) (arm [3]float64) {
	y, z := (a+1)%3, (a+2)%3
	arm[y], arm[z] = x[z]-p.centre[a][z], p.centre[a][y]-x[y]
	return arm
}

// spinOf is how fast an angular impulse, N·m·s, turns a patch, rad/s.
func (g *Graph) spinOf(rows []int32, p *patch, density float64, impulse []float64) (spin [3]float64) {
	var inertia [9]float64
	g.eachHalf(rows, density, func(f int32, half float64) {
		arm := p.arm(g.Cubes.Axis[f], g.FaceCentre(int(f)))
		for i, u := range arm {
			for j, v := range arm {
				inertia[3*i+j] += float64(half * u * v)
			}
		}
	})
	edge := float64(g.Size[rows[0]])
	add := float64(loose * edge * edge * (p.mass[0] + p.mass[1] + p.mass[2]))
	if !(add > 0) {
		return spin
	}
	for i := range 3 {
		inertia[4*i] += add
	}
	dense.Factor(inertia[:], 3)
	copy(spin[:], impulse)
	dense.Solve(inertia[:], spin[:])
	return spin
}
