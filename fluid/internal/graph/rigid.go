package graph

// FaceInertia is the inertia about a point, m, of the liquid on the faces of rows, 6×6, its lower triangle: kg, kg·m and kg·m². A face between two of
// the rows counts twice, and AddMotion adds to it twice.
func (g *Graph) FaceInertia(rows []int32, about *[3]float64, density float64) (m [36]float64) {
	if g.cubic() {
		return g.cubesInertia(rows, about, density)
	}
	for _, r := range rows {
		for _, f := range g.FacesOf(r) {
			q := g.wrench(f, about)
			mass := float64(density * g.Area[f] * g.Open[f] * g.Dist[f])
			for i := range 6 {
				for j := range i + 1 {
					m[6*i+j] += float64(mass * q[i] * q[j])
				}
			}
		}
	}
	return m
}

// AddMotion adds to the faces of rows so many times the velocities of a rigid motion about a point, m/s and rad/s.
func (g *Graph) AddMotion(rows []int32, about *[3]float64, motion *[6]float64, by float64) {
	for _, r := range rows {
		if g.cubic() {
			g.addMotionToCube(r, about, motion, by)
			continue
		}
		for _, f := range g.FacesOf(r) {
			g.U[f] += float64(by * dot6(g.wrench(f, about), *motion))
		}
	}
}

// cubesInertia is FaceInertia of cubes.
func (g *Graph) cubesInertia(rows []int32, about *[3]float64, density float64) (m [36]float64) {
	var sums [3][6]float64 // per axis of faces: of mass, and its moments as in faceArms
	for _, r := range rows {
		for side, f := range &g.Cubes.Sides[r] {
			if f >= 0 {
				s := &sums[side/2]
				u, v := g.faceArms(r, f, side, about)
				mass := float64(density * g.Area[f] * g.Open[f] * g.Dist[f])
				s[0] += mass
				s[1] += float64(mass * u)
				s[2] += float64(mass * v)
				s[3] += float64(mass * u * u)
				s[4] += float64(mass * u * v)
				s[5] += float64(mass * v * v)
			}
		}
	}
	for a := range 3 {
		s, u, v := &sums[a], 3+(a+1)%3, 3+(a+2)%3
		m[7*a] += s[0]
		m[6*u+a] += s[1]
		m[6*v+a] += s[2]
		m[7*u] += s[3]
		m[6*max(u, v)+min(u, v)] += s[4]
		m[7*v] += s[5]
	}
	return m
}

// addMotionToCube is AddMotion of a cube's faces.
func (g *Graph) addMotionToCube(r int32, about *[3]float64, motion *[6]float64, by float64) {
	for side, f := range &g.Cubes.Sides[r] {
		if f >= 0 {
			a := side / 2
			u, v := g.faceArms(r, f, side, about)
			g.U[f] += float64(by * (motion[a] + float64(u*motion[3+(a+1)%3]) + float64(v*motion[3+(a+2)%3])))
		}
	}
}

// faceArms is the moments about a point, along the next two axes, of a unit force on the face on a side of row r, m.
func (g *Graph) faceArms(r, f int32, side int, about *[3]float64) (u, v float64) {
	x := &g.Centre[r]
	if g.A[f]|g.B[f] < 0 { // a composite face, perhaps
		centre := g.FaceCentre(int(f))
		x = &centre
	}
	y, z := (side/2+1)%3, (side/2+2)%3
	return x[z] - about[z], about[y] - x[y]
}
