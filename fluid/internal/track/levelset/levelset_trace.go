package levelset

import "github.com/meniscus3d/meniscus/fluid/internal/layout"

// tracer follows the frozen velocity from places in a block of the old layout. Places and ways are in that
// block's cells, from its low corner.
type tracer struct {
	v           *layout.Velocity
	tile        layout.Tile
	frame       frame
	step, limit float32 // cells per m/s; longest way
}

// tracer leads back in time.
func (s *Field) tracer(b int32) tracer {
	q := tracer{v: s.v}
	q.enter(s.g, b, -s.dt)
	return q
}

// enter moves the tracer to a block, to go on for dt seconds from there.
func (q *tracer) enter(g *layout.Grid, b int32, dt float64) {
	q.frame = newFrame(g, b, g.Prev.Level[b])
	q.step = float32(dt * q.frame.cells / (g.H * layout.Edge))
	q.limit = float32(float64(g.Dim[0]+g.Dim[1]+g.Dim[2]) * q.frame.cells)
	if q.v != nil {
		q.tile = q.v.Tile(b)
	}
}

// way is the way along the velocity at a place; false where that isn't finite or crosses the whole grid.
func (q *tracer) way(x, y, z float32) (dx, dy, dz float32, ok bool) {
	dx, dy, dz = q.velocity(x, y, z)
	dx, dy, dz = q.step*dx, q.step*dy, q.step*dz
	return dx, dy, dz, abs32(dx)+abs32(dy)+abs32(dz) < q.limit
}

// velocity is that at a place, m/s.
func (q *tracer) velocity(x, y, z float32) (u, v, w float32) {
	if q.tile.Holds(x, y, z) {
		return q.tile.At(x, y, z)
	}
	return q.v.At(q.frame.point(x, y, z))
}

// straight is the way, in cells, up to which the midpoint rule has nothing to add: on a curve of radius R
// cells a straight step is off by way²/2R, .005 cells on the smallest that the grid holds.
const straight = .1

// trace is the way from a place by the midpoint rule.
func (q *tracer) trace(x, y, z float32) (dx, dy, dz float32) {
	dx, dy, dz, _ = q.way(x, y, z)
	return q.midpoint(x, y, z, dx, dy, dz)
}

// trail sets the ways of all cells of the tracer's block, which is of a level, and tells how long they are at most,
// in cells: the sum of the components' magnitudes.
func (q *tracer) trail(w *workspace, l uint8) (far float32) {
	u := [3][]float32{q.tile.Values(0), q.tile.Values(1), q.tile.Values(2)}
	far = trail(&w.way, u, q.step, q.limit, 1<<l)
	switch {
	case far < straight:
		return far
	case far <= near: // as far as the change from cell to cell tells what the velocity is
		return curve(&w.way, u, q.step, q.limit, 1<<l)
	}
	return q.bend(w, &middles[l], 1<<(3*l), far)
}

// follow sets the ways from the first count of w.origin, places in the tracer's block.
func (q *tracer) follow(w *workspace, count int) {
	p, o := &w.places, &w.origin
	copy(p.X[:count], o[0][:])
	copy(p.Y[:count], o[1][:])
	copy(p.Z[:count], o[2][:])
	q.bend(w, o, count, q.sample(w, count))
}

// bend goes on from ways along the velocity at their origins, up to far long, to the midpoint rule, if any is long enough
// for it. It returns the length of the longest.
func (q *tracer) bend(w *workspace, origin *ways, count int, far float32) float32 {
	if far < straight {
		return far
	}
	p := &w.places
	for i := range count {
		p.X[i], p.Y[i], p.Z[i] = origin[0][i]+float32(.5*w.way[0][i]), origin[1][i]+float32(.5*w.way[1][i]), origin[2][i]+float32(.5*w.way[2][i])
	}
	return q.sample(w, count)
}

// sample sets the ways along the velocity at the first count of w.places, and returns the length of the longest.
func (q *tracer) sample(w *workspace, count int) (far float32) {
	p := &w.places
	for a := range w.way {
		p.Sample(q.tile.Component(a), count)
		copy(w.way[a][:count], p.Value[:])
	}
	for i := p.Missed(0, count); i < count; i = p.Missed(i+1, count) {
		w.way[0][i], w.way[1][i], w.way[2][i] = q.velocity(p.X[i], p.Y[i], p.Z[i])
	}
	return lengthenWays(&w.way, q.step, q.limit, count)
}

// midpoint is trace where the way along the velocity at the place is known.
func (q *tracer) midpoint(x, y, z, dx, dy, dz float32) (mx, my, mz float32) {
	switch long := abs32(dx) + abs32(dy) + abs32(dz); {
	case long < straight:
		return dx, dy, dz
	case !(long < q.limit):
		return 0, 0, 0
	}
	if mx, my, mz, ok := q.way(x+float32(.5*dx), y+float32(.5*dy), z+float32(.5*dz)); ok {
		return mx, my, mz
	}
	return dx, dy, dz
}

// frame is a block's place in the grid, in base cells, and its cells along a base cell.
type frame struct{ x, y, z, cells float64 }

func newFrame(g *layout.Grid, b int32, level uint8) frame {
	at := g.BaseCoords(b)
	return frame{float64(at[0]), float64(at[1]), float64(at[2]), float64(int(1) << level)}
}

// local is a point in cells from the block's low corner, plus a shift.
func (f *frame) local(p layout.Point, shift float64) (x, y, z float32) {
	return float32(float64((p.X-f.x)*f.cells) + shift), float32(float64((p.Y-f.y)*f.cells) + shift), float32(float64((p.Z-f.z)*f.cells) + shift)
}

// point is local's inverse, without a shift.
func (f *frame) point(x, y, z float32) layout.Point {
	inv := 1 / f.cells
	return layout.Point{X: f.x + float64(float64(x)*inv), Y: f.y + float64(float64(y)*inv), Z: f.z + float64(float64(z)*inv)}
}
