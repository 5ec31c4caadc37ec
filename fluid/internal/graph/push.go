package graph

import "github.com/meniscus3d/meniscus/fluid/internal/dense"

// Push is an impulse that the liquid on the faces of some rows gets.
type Push struct {
	Density float64 // kg/m³
	Impulse [6]float64
	About   [3]float64 // what the impulse's last three numbers, N·m·s, are about, m
	// Least is what the liquid counts for at least along each axis, kg: a film is not driven faster.
	Least [3]float64
}

// loose is what the inertia of the liquid on some faces is made up to be more by, in terms of that of all its mass a cell's edge off the axis: the faces of
// a row or two have no arm about some axes, and what they would turn by to take on an angular impulse is no motion of the liquid.
const loose = .1

// leastInertia is what the mass on some faces is made up to be more by along all axes, as a part of it: faces that point one way take no impulse
// across it.
const leastInertia = 1e-9

// Push gives the liquid on the faces of rows an impulse, those faces that aren't held. Cubes take it on axis by axis.
func (g *Graph) Push(rows []int32, p *Push) {
	if g.cubic() {
		g.pushCubes(rows, p)
	} else {
		g.pushListed(rows, p)
	}
}

// pushListed is Push where faces point anywhere: they get together the velocities of a rigid motion along their normals, whose momentum and angular momentum
// are the impulse.
func (g *Graph) pushListed(rows []int32, p *Push) {
	mass, centre := g.weigh(rows, p.Density)
	if !(mass > 0) {
		return
	}
	var inertia [36]float64
	g.eachHalf(rows, p.Density, func(f int32, half float64) {
		push := g.wrench(f, &centre)
		for i, u := range push {
			for j, v := range push {
				inertia[6*i+j] += float64(half * u * v)
			}
		}
	})
	edge := float64(g.Size[rows[0]])
	for i := range 3 {
		inertia[7*i] = max(inertia[7*i]+float64(leastInertia*mass), p.Least[i])
		inertia[7*(3+i)] += float64(loose * edge * edge * mass)
	}
	dense.Factor(inertia[:], 6)
	motion := p.Impulse
	for i := range 3 { // about the centre of the liquid, where pushing it evenly turns it little
		y, z := (i+1)%3, (i+2)%3
		motion[3+i] -= float64((centre[y]-p.About[y])*p.Impulse[z]) - float64((centre[z]-p.About[z])*p.Impulse[y])
	}
	dense.Solve(inertia[:], motion[:])
	g.eachHalf(rows, p.Density, func(f int32, _ float64) {
		g.U[f] += float64(dot6(g.wrench(f, &centre), motion) / 2)
	})
}

// weigh is the mass of the liquid on the faces of rows, kg, each counted for one direction, and its centre, m.
func (g *Graph) weigh(rows []int32, density float64) (mass float64, centre [3]float64) {
	g.eachHalf(rows, density, func(f int32, half float64) {
		mass += half
		for d, x := range g.FaceCentre(int(f)) {
			centre[d] += float64(half * x)
		}
	})
	for d := range centre {
		centre[d] /= max(mass, 1e-300)
	}
	return mass, centre
}

// eachHalf visits the faces of rows that aren't held, those between two of them twice, with half of the liquid's mass on each, kg.
func (g *Graph) eachHalf(rows []int32, density float64, visit func(f int32, half float64)) {
	for _, r := range rows {
		for _, f := range g.FacesOf(r) {
			if f >= 0 && !g.IsHeld(f) {
				visit(f, float64(density*g.Area[f]*g.Open[f]*g.Dist[f]/2))
			}
		}
	}
}

// wrench is a unit force along a face's normal, and its moment about a point.
func (g *Graph) wrench(f int32, about *[3]float64) [6]float64 {
	n, x := g.Normal(int(f)), g.FaceCentre(int(f))
	for d := range x {
		x[d] -= about[d]
	}
	return [6]float64{
		n[0], n[1], n[2],
		float64(x[1]*n[2]) - float64(x[2]*n[1]), float64(x[2]*n[0]) - float64(x[0]*n[2]), float64(x[0]*n[1]) - float64(x[1]*n[0]),
	}
}

func dot6(a, b [6]float64) (sum float64) {
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}
