package levelset

import "math"

// Room is what solids leave of a cell, and of its sides.
type Room struct {
	Cell int32 // of the block
	Part float32
	Open [3][2]float32 // of the low and the high side along each axis: a part
}

// LeaveOpen changes what of some cells of a block is liquid, of which the surface and solids both take a part, to what of the room that solids leave in
// them is liquid.
//
// dst: len = the block's cells, from Fraction.
//
// Each eighth of a cell is cut by the plane of φ and by that of the solid, and if both do by those in its own eighths. Of two parts what is common is known where
// the planes are parallel; where they are perpendicular it is their product; in between it is taken for a mean of both, which is within .05 of it. Where
// a thin wall may stand between a cell and the next no plane is known, and the product stands.
func LeaveOpen(s *Field, worker int, b int32, dst []float32, rooms []Room) {
	if len(rooms) == 0 || int(b) < len(s.ClipBlocks) && s.ClipBlocks[b] {
		return
	}
	level, w := s.g.Cur.Level[b], &s.work[worker]
	s.gatherNew(w, b)
	h := float32(s.g.CellSize(level))
	for i := range rooms {
		r := &rooms[i]
		dst[r.Cell] = wetPart(w.tile[cutCorners[level][r.Cell]:], 1<<level+2, h, dst[r.Cell], r)
	}
}

// wetPart is the part of the room in a cell, which is the middle of a cube of 27 values, that is liquid: wet is what of the whole cell is.
func wetPart(t []float32, e int, h, wet float32, room *Room) float32 {
	n := room.normal()
	long := float32(math.Sqrt(float64(float32(n[0]*n[0]) + float32(n[1]*n[1]) + float32(n[2]*n[2]))))
	if !(long > leastNormal) {
		return wet
	}
	middle := room.distance(&n)
	bend := bendAt(t, e, h)
	var liquid, open, both [8]float32
	for o := range liquid {
		p := planeIn(t, e, o, bend)
		// In all signs of its own eighth, as that of φ.
		x, y, z := away(o, n[0], n[1], n[2])
		s := plane{-(middle + middle) - float32(.5*(x+y+z)), -x, -y, -z}
		liquid[o], open[o] = p.part(h), s.part(long)
		both[o] = common(&p, &s, h, long)
	}
	whole, now := meanOf(&open), meanOf(&liquid)
	if !(whole > 0) {
		return wet
	}
	return clamp32(fitted(meanOf(&both)/whole, now, wet), 0, 1)
}

// away is a vector's parts in the directions of an eighth from the middle of its cell.
func away(o int, x, y, z float32) (_, _, _ float32) {
	if o&1 != 0 {
		x = -x
	}
	if o&2 != 0 {
		y = -y
	}
	if o&4 != 0 {
		z = -z
	}
	return x, y, z
}

// part is the part of a cube where a plane's distance is negative; scale is its slope, about.
func (p *plane) part(scale float32) float32 {
	return planeFraction(p.phi, p.x, p.y, p.z, flatness*scale)
}

// eighth is the plane in an eighth of its cube.
func (p *plane) eighth(o int) plane {
	x, y, z := away(o, p.x, p.y, p.z)
	return plane{p.phi + p.phi + float32(.5*(x+y+z)), p.x, p.y, p.z}
}

// common is the part of a cube that two half-spaces have in common, of the distances p and s. Where both planes cut the cube it is that of its eighths.
func common(p, s *plane, scaleP, scaleS float32) float32 {
	liquid, open := p.part(scaleP), s.part(scaleS)
	if !(liquid > 0 && liquid < 1 && open > 0 && open < 1) {
		return liquid * open
	}
	across := float32(p.x*p.x) + float32(p.y*p.y) + float32(p.z*p.z)
	across *= float32(s.x*s.x) + float32(s.y*s.y) + float32(s.z*s.z)
	facing := -(float32(p.x*s.x) + float32(p.y*s.y) + float32(p.z*s.z)) / max(float32(math.Sqrt(float64(across))), math.SmallestNonzeroFloat32)
	var f [8]float32
	for o := range f {
		q, r := p.eighth(o), s.eighth(o)
		f[o] = meet(q.part(scaleP), r.part(scaleS), clamp32(facing, -1, 1))
	}
	return meanOf(&f)
}

// fitted is a part of the room that is liquid where now is what of the cell is by the same planes, for wet of it.
func fitted(part, now, wet float32) float32 {
	switch {
	case now > wet:
		return part * wet / now
	case now < wet:
		return 1 - float32((1-part)*((1-wet)/(1-now)))
	}
	return part
}

// leastNormal is the length of a room's normal, in faces, below which what is left open doesn't lie on one side.
const leastNormal = .02

// meet is the part of a cube that two half-spaces have in common, of which they take a part each. facing is the cosine of the angle between the
// directions in which the one ends and the other begins.
func meet(liquid, open, facing float32) float32 {
	both := float32(liquid * open)
	if facing > 0 { // the liquid lies on the solid
		return both + float32(facing*(max(0, liquid+open-1)-both))
	}
	return both - float32(facing*(min(liquid, open)-both))
}

// normal is the direction out of the solid that takes a part of the cell, as long as its surface is large for a side of the cell: by the divergence
// theorem what the sides differ by. A side that a solid's face lies in, which doesn't cut the cell, is shut too: with it the plane wouldn't leave the
// side across as open as that is.
func (r *Room) normal() (n [3]float32) {
	for a := range n {
		n[a] = r.Open[a][1] - r.Open[a][0]
	}
	middle, flush := r.distance(&n), n
	for a := range n {
		if p, q := n[(a+1)%3], n[(a+2)%3]; r.Open[a][0]*r.Open[a][1] == 0 && n[a] != 0 {
			s := plane{-middle - float32(.5*abs32(n[a])), p, q, 0}
			if abs32(s.part(abs32(p)+abs32(q)+abs32(n[a]))-max(r.Open[a][0], r.Open[a][1])) > mostOff {
				flush[a] = 0
			}
		}
	}
	if flush != ([3]float32{}) {
		return flush
	}
	return n
}

// mostOff is by how much a plane may leave a side open otherwise than it is.
const mostOff = .05

// distance is that from a solid in the middle of its cell, in the length of the normal out of it: that with which the
// plane leaves open the part that it is to.
func (r *Room) distance(n *[3]float32) float32 {
	most := float32(.5 * (abs32(n[0]) + abs32(n[1]) + abs32(n[2])))
	low, high := -most, most
	for range 20 {
		mid := .5 * (low + high)
		if p := (plane{-mid, n[0], n[1], n[2]}); p.part(most) < r.Part {
			low = mid
		} else {
			high = mid
		}
	}
	return .5 * (low + high)
}
