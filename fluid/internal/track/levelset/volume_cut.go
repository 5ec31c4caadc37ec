package levelset

// cutCells is the kernel that writes the liquid fractions of the first n cells that the surface may cut. t is a tile with
// a layer of halo. It exists in plain Go, here, and in assembly for processors with AVX2; both give the same bits.
var cutCells = cutCellsGo

func cutCellsGo(q *cuts, dst, t []float32, n int) {
	for _, c := range q.cell[:n] {
		dst[c] = cutCell(t[q.corner[c]:], int(q.edge), q.h)
	}
}

// bendFactor is by what part of its second differences interpolation overestimates φ: 3/32 in the middle of an
// eighth, less 1/96 for the mean over the eighth.
const bendFactor = .083

// cutCell is the liquid fraction of the cell in the middle of the cube of 27 values that starts at t: the mean of its
// eighths, of which o lies towards the high neighbour along x, y and z where bit 0, 1 and 2 of o is 0.
func cutCell(t []float32, e int, h float32) float32 {
	var f [8]float32
	bend := bendAt(t, e, h)
	for o := range f {
		p := planeIn(t, e, o, bend)
		f[o] = planeFraction(p.phi, p.x, p.y, p.z, flatness*h)
	}
	return meanOf(&f)
}

// meanOf is the mean of the eighths' values.
func meanOf(f *[8]float32) float32 {
	low := (f[0] + f[4]) + (f[1] + f[5])
	high := (f[2] + f[6]) + (f[3] + f[7])
	return float32((low + high) * .125)
}

// bendAt is by how much interpolation overestimates φ in the eighths of the cell in the middle of a cube of 27 values, m.
func bendAt(t []float32, e int, h float32) float32 {
	mid := 1 + e + e*e
	middle := t[mid]
	bend := bendOf(t[mid-1], middle, t[mid+1], h) + bendOf(t[mid-e], middle, t[mid+e], h)
	bend += bendOf(t[mid-e*e], middle, t[mid+e*e], h)
	return float32(bendFactor * bend)
}

// plane is a linear distance in a cell or an eighth of one: twice what it is in the middle of an eighth, which is what it is in a cell twice as large, and what
// it changes by from one side to the other of that, away from the cell's middle.
type plane struct{ phi, x, y, z float32 }

// planeIn is that of φ in eighth o of the cell in the middle of a cube of 27 values, with what bendAt tells.
func planeIn(t []float32, e, o int, bend float32) plane {
	mid := 1 + e + e*e
	middle := t[mid]
	x, y, z := 1-2*(o&1), e*(1-2*(o>>1&1)), e*e*(1-2*(o>>2))
	// Along x, a quarter of the way to the neighbours: of the middle row, of that beside it, and of both in the plane
	// beside them.
	dx, here := quarter(middle, t[mid+x])
	dxY, hereY := quarter(t[mid+y], t[mid+x+y])
	dxZ, hereZ := quarter(t[mid+z], t[mid+x+z])
	dxYZ, hereYZ := quarter(t[mid+y+z], t[mid+x+y+z])
	// Then along y, and along z.
	dy, here := quarter(here, hereY)
	dyZ, hereZ := quarter(hereZ, hereYZ)
	_, dx = quarter(dx, dxY)
	_, dxZ = quarter(dxZ, dxYZ)
	dz, phi := quarter(here, hereZ)
	_, dx = quarter(dx, dxZ)
	_, dy = quarter(dy, dyZ)
	phi -= bend
	return plane{phi + phi, dx, dy, dz}
}

// quarter is the difference of two values, and what is a quarter of the way from the first to the second.
func quarter(from, to float32) (d, at float32) {
	d = to - from
	return d, from + float32(.25*d)
}

// bendOf is the second difference of φ along an axis, m, where it is that of a curved surface; where it
// is too large for that, two surfaces are near.
func bendOf(low, mid, high, h float32) float32 {
	if b := (high - mid) + (low - mid); abs32(b) < .4*h {
		return b
	}
	return 0
}

// flatness is the least slope of planes along an axis: what is less changes nothing in a fraction, and what would be
// divided by 0 is not.
const flatness = 1e-6

// planeFraction is the part of a cell where a linear φ is negative.
//
// phi: in the cell's middle. x, y, z: what it changes by from one side of the cell to the other.
// least: what these count as at least; the result is that of their proportions alone.
//
// Source: Scardovelli, Zaleski 2000 eq. 2, for the smaller of the two parts: with slopes a ≤ b ≤ c and d the rise from the
// corner to the plane, d ≤ (a+b+c)/2, it is (d³ - (d-a)³ - (d-b)³ - (d-c)³) / 6abc, of which terms that are negative
// stay out, or (2d-a-b) / 2c from d = a+b on. As d < a+b, what is taken off is small where a is, but for (d-a)³, which
// d³ is therefore divided by.
func planeFraction(phi, x, y, z, least float32) float32 {
	x, y, z = abs32(x), abs32(y), abs32(z)
	low, high := lesser(x, y), greater(x, y)
	a := greater(lesser(low, z), least)
	b := greater(greater(low, lesser(high, z)), least)
	c := greater(greater(high, z), least)
	ab := a + b
	d := greater(float32(.5*(ab+c))-abs32(phi), 0)
	over := greater(d-a, 0)
	pb, pc := greater(d-b, 0), greater(d-c, 0)
	part := float32(lesser(d, a)*((float32(d*d)+float32(d*over))+float32(over*over))) - float32(pb*pb*pb) - float32(pc*pc*pc)
	whole := 6 * a * b * c
	if d >= ab {
		part, whole = d+d-ab, c+c
	}
	f := part / whole
	if phi < 0 {
		return 1 - f
	}
	return f
}
