package isomesh

// meshLanding moves up to meshBatch places, each in a cell with a cube of 27 cells around it, onto the surface.
type meshLanding struct {
	place    [3][meshBatch]float32 // per axis, in cells from the cell's low corner; in and out
	normal   [3][meshBatch]float32 // out: per axis, unit
	cube     [meshBatch]int32      // where the cube begins in the tile
	_        [21 * 8]float32       // the assembly's
	tile     []float32
	edge     int32   // of the tile, cells
	perMetre float32 // cells
}

// landing is the kernel. It exists in plain Go, here, and in assembly for processors with AVX2; both give the same
// bits. What is beyond the n places in their group of eight must have a cube, too.
var landing = landGo

func landGo(p *meshLanding, n int) {
	for i := range n {
		x := [3]float32{p.place[0][i], p.place[1][i], p.place[2][i]}
		value, g := meshStencil(p.tile[p.cube[i]:], int(p.edge), [3]float32{x[0] - .5, x[1] - .5, x[2] - .5})
		for a := range g {
			g[a] *= p.perMetre
		}
		square := float32(g[0]*g[0]) + float32(g[1]*g[1]) + float32(g[2]*g[2])
		inv := 1 / sqrt32(square)
		step := float32(0)
		if square >= meshFlat {
			limit := meshReach * inv
			step = clamp32((0-value)*inv*inv*p.perMetre, -limit, limit)
		}
		for a := range g {
			p.place[a][i] = clamp32(x[a]+float32(step*g[a]), 0, 1)
			p.normal[a][i] = meshUnit(g[a], inv, a)
		}
	}
}

// meshUnit is a component of a normal, from that of the gradient and 1 over its length; without a gradient the
// normal is along y.
func meshUnit(g, inv float32, axis int) float32 {
	if inv < 1e6 {
		return g * inv
	}
	return float32(axis & 1)
}
