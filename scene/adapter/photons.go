package adapter

import "math"

// index of refraction, and the share of light that still water mirrors straight up: those of the picture that package scene draws.
const (
	waterIndex = 1.333
	facingOn   = .0204
)

// PhotonList is the sunlight that a liquid's surface bends and mirrors, a bundle of rays for each triangle that the sun may see: what another engine
// throws caustics with. Sent on to the first thing that they meet, in the liquid and above it, all bundles together bring the flux that the surface
// lets through and mirrors. In each list there are three numbers for a bundle, but for one in Passed, Mirrored and Areas.
type PhotonList struct {
	Positions        []float32 // on the surface, m
	Normals          []float32 // of the surface, unit vectors out of the liquid
	Bent             []float32 // the way in the liquid, unit vectors
	Reflected        []float32 // the way in the air, unit vectors; one that leads down meets the liquid again
	Passed, Mirrored []float32 // flux for an irradiance of 1 W/m² across the sun's rays, W
	Areas            []float32 // of the triangles, m²
}

// Photons puts the light of a sun into a list, s seconds back along the vertices' velocities: into dst's own slices, as far as they reach. sun leads
// to the sun, of any length but 0. Triangles of the free surface that face away from the sun send none; whether a body or other liquid is before them is
// for the caller to find out. A triangle's rays leave from its middle, by the mean of its vertices' normals; Fresnel's share follows Schlick.
// Source: Shah, Konttinen and Pattanaik, Caustics mapping (2007); Schlick, An inexpensive BRDF model (1994).
func (p *SurfaceCopy) Photons(dst *PhotonList, sun [3]float32, s float64) {
	*dst = PhotonList{dst.Positions[:0], dst.Normals[:0], dst.Bent[:0], dst.Reflected[:0], dst.Passed[:0], dst.Mirrored[:0], dst.Areas[:0]}
	to, ok := unitOf(sun)
	if !ok || !p.Complete() {
		return
	}
	back := float32(s)
	for i := 0; i+2 < min(p.Free, len(p.Indices)); i += 3 {
		var x [3][3]float32
		var mid, normal [3]float32
		for k, at := range p.Indices[i : i+3] {
			for c := range 3 {
				j := 3*int(at) + c
				x[k][c] = p.Positions[j] - back*p.Velocities[j]
				mid[c] += x[k][c] / 3
				normal[c] += p.Normals[j]
			}
		}
		var a, b [3]float32
		for c := range 3 {
			a[c], b[c] = x[1][c]-x[0][c], x[2][c]-x[0][c]
		}
		flat := [3]float32{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]} // twice the area
		across := dot3(flat, to) / 2
		n, ok := unitOf(normal)
		cos := dot3(n, to)
		if !(across > 0) || !ok || !(cos > 0) {
			continue
		}
		k := 1 - min(cos, 1)
		mirrored := facingOn + (1-facingOn)*k*k*k*k*k
		inside := float32(math.Sqrt(float64(1 - (1-cos*cos)/(waterIndex*waterIndex)))) // cosine
		for c := range 3 {
			dst.Bent = append(dst.Bent, (cos/waterIndex-inside)*n[c]-to[c]/waterIndex)
			dst.Reflected = append(dst.Reflected, 2*cos*n[c]-to[c])
		}
		dst.Positions = append(dst.Positions, mid[:]...)
		dst.Normals = append(dst.Normals, n[:]...)
		dst.Passed = append(dst.Passed, across*(1-mirrored))
		dst.Mirrored = append(dst.Mirrored, across*mirrored)
		dst.Areas = append(dst.Areas, float32(math.Sqrt(float64(dot3(flat, flat))))/2)
	}
}

func dot3(a, b [3]float32) float32 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// unitOf is a vector of length 1; false if there is none.
func unitOf(v [3]float32) ([3]float32, bool) {
	size := float32(math.Sqrt(float64(dot3(v, v))))
	if !(size > 0) || math.IsInf(float64(size), 0) {
		return v, false
	}
	return [3]float32{v[0] / size, v[1] / size, v[2] / size}, true
}
