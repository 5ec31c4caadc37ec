package fluid

import (
	"math"

	"github.com/kelindar/bitmap"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/blocks"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/internal/par"
	"github.com/meniscus3d/meniscus/fluid/internal/sizing"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// blockInfo is what a survey of the settled grid found, per base cell.
type blockInfo struct {
	nearest  []float32 // least |φ| in the block's cells, m
	speed    []float32 // greatest of the surface across itself in the block, m/s
	reach    []float32 // see blocks.Near
	fraction []float32 // part of the block that is liquid; solids and what is outside of the domain are not
	volume   []float64 // of the liquid, m³
	wet      bitmap.Bitmap
	band     bitmap.Bitmap
	fresh    []int32 // base cells whose block is new in this substep
	maxSpeed float64 // m/s
	mouths   []r3.Box
	jets     []r3.Box
	demand   sizing.Outcome // the last plan's

	surveyChunk, volumeChunk par.Body
}

// bandReach, in finest cells, is how near to a block the surface must be for the block to count as at
// it: what the level set's band needs around it. What the surface moves in a step is added. bandSeen
// keeps that within what φ tells of.
const (
	bandReach = 2
	bandSeen  = .99
)

func (l *Liquid) prepare() {
	i, n := &l.blocksInfo, l.grid.Bases()
	i.nearest, i.speed, i.reach = make([]float32, n), make([]float32, n), make([]float32, n)
	i.fraction, i.volume = make([]float32, n), make([]float64, n)
	i.wet.Grow(uint32(n))
	i.band.Grow(uint32(n))
	i.surveyChunk = eachBlock(l.surveyBlock)
	i.volumeChunk = eachBlockBy(l.measureBlock)
	v := &l.volumes
	v.shared, v.shores = make([]share, n), make([]blocks.Shores, l.pool.Workers())
	for w := range v.shores {
		v.shores[w] = blocks.MakeShores()
	}
	v.swept.reserve()
	v.losses.init(l)
	v.origins = make([][]origin, l.pool.Workers())
	v.weighChunk, v.sourceChunk = eachBlockBy(l.weighBlock), eachBlock(l.blockSources)
	l.fallChunk, l.sootheChunk, l.slideChunk = l.fall, eachBlock(l.sootheBlock), l.slideSome
	l.fieldChunk = eachBlock(l.pushBlock)
	l.coupling.slideScratch = make([]slideScratch, l.pool.Workers())
	l.clipper.nearChunk = eachBlockBy(l.lookNear)
	l.startChunk, l.keepChunk = eachBlock(l.startBlock), eachBlock(l.keepBlock)
	l.freshChunk = func(_, lo, hi int) {
		for _, b := range l.blocksInfo.fresh[lo:hi] {
			l.refreshBlock(b)
		}
	}
	l.drowsing.init(l)
	l.world.init(l)
	l.vel.Gather(l.pool, &l.faces)
	l.solids.Solids(nil, blocks.Near{})
	l.resurvey()
}

// eachBlock makes the body of a loop over base cells, one by one.
func eachBlock(visit func(b int32)) par.Body {
	return eachBlockBy(func(_ int, b int32) { visit(b) })
}

// eachBlockBy is eachBlock for what wants to know its worker.
func eachBlockBy(visit func(worker int, b int32)) par.Body {
	return func(worker, lo, hi int) {
		for b := lo; b < hi; b++ {
			visit(worker, int32(b))
		}
	}
}

// resurvey is survey for a φ that was not metered.
func (l *Liquid) resurvey() {
	l.measureVolume(l.blocksInfo.volumeChunk)
	l.survey()
}

// measureVolume measures what of each cell of Cur, of each block, and of everything is liquid. chunk measures blocks.
func (l *Liquid) measureVolume(chunk par.Body) {
	l.pool.For(l.grid.Bases(), 2, chunk)
	total := 0.
	for _, v := range l.blocksInfo.volume {
		total += v
	}
	l.volumes.ledger.HeldL = (total + l.set.Markers.Droplets.Volume + l.world.drops.volume) / litre
}

// measureBlock measures what of each cell of a block, and of the block, is liquid.
func (l *Liquid) measureBlock(worker int, b int32) {
	first, n := l.grid.Cur.First[b], 1<<(3*l.grid.Cur.Level[b])
	f := l.volumes.fraction[first:][:n]
	volume := 0.
	if l.set.Fraction(worker, b, f) {
		volume = filled(f, l.solids.Volume[first:][:n])
	}
	edge := l.grid.H * grid.Edge
	l.blocksInfo.fraction[b], l.blocksInfo.volume[b] = float32(volume/(edge*edge*edge)), volume
}

// filled sums up cells' liquid, m³, from their liquid fractions and the volume that solids leave open in them.
func filled(fraction, open []float32) float64 {
	var v [4]float64
	i := 0
	for ; i+4 <= len(fraction); i += 4 {
		a, b := (*[4]float32)(fraction[i:]), (*[4]float32)(open[i:])
		for k := range v {
			v[k] += float64(a[k] * b[k])
		}
	}
	for ; i < len(fraction); i++ {
		v[0] += float64(fraction[i] * open[i])
	}
	return (v[0] + v[1]) + (v[2] + v[3])
}

// survey finds out which blocks of the settled grid are wet, and which are at the surface.
func (l *Liquid) survey() {
	i := &l.blocksInfo
	l.pool.For(l.grid.Bases(), 4, i.surveyChunk)
	for b := range i.nearest {
		cell := l.grid.CellSize(l.grid.Cur.Level[b])
		speed := i.speedAround(l.grid, b)
		// A cell's centre is half a cell from the block's side.
		reach := float64(cell/2) + float64(bandReach*l.def.CellSize) + float64(float64(speed)*l.step.dt)
		reach = min(reach, bandSeen*l.set.Band*cell)
		put(i.wet, b, i.fraction[b] > 0)
		put(i.band, b, float64(i.nearest[b]) < reach)
	}
}

func put(m bitmap.Bitmap, b int, on bool) {
	if on {
		m.Set(uint32(b))
	} else {
		m.Remove(uint32(b))
	}
}

func (l *Liquid) surveyBlock(b int32) {
	i := &l.blocksInfo
	level, first := l.grid.Cur.Level[b], l.grid.Cur.First[b]
	i.nearest[b], i.speed[b] = l.set.Nearest(b), 0
	if h := float32(l.grid.CellSize(level)); i.nearest[b] < h {
		i.speed[b] = l.surfaceSpeed(l.set.Phi[first:][:1<<(3*level)], int(first), int(level), h)
	}
}

// surfaceSpeed is how fast the surface in a block, whose cells are h wide, moves across itself, m/s: the
// greatest of the cells next to it.
func (l *Liquid) surfaceSpeed(phi []float32, first, bits int, h float32) float32 {
	n := 1 << bits
	u, v, w := l.faces[0][first:][:len(phi)], l.faces[1][first:][:len(phi)], l.faces[2][first:][:len(phi)]
	if bits == 0 {
		return float32(min(reproducible.Norm(r3.Vec{X: float64(u[0]), Y: float64(v[0]), Z: float64(w[0])}), math.MaxFloat32))
	}
	// The slope of φ is a difference of two cells, of one at the block's sides, where there is no face beyond.
	inv := [2]float32{.5 / h, .25 / h}
	top := float32(0)
	for c, p := range phi {
		if p > h || p < -h {
			continue
		}
		x0, x1, kx := around(c, 0, n-1, 1)
		y0, y1, ky := around(c, bits, n-1, n)
		z0, z1, kz := around(c, 2*bits, n-1, n*n)
		sum := float32((u[c]+u[x1])*(phi[x1]-phi[x0])*inv[kx]) + float32((v[c]+v[y1])*(phi[y1]-phi[y0])*inv[ky]) + float32((w[c]+w[z1])*(phi[z1]-phi[z0])*inv[kz])
		if sum < 0 {
			sum = -sum
		}
		if sum > top {
			top = sum
		}
	}
	return min(top, math.MaxFloat32)
}

// around is the cells below and above a cell of a block along an axis, as far as they are in the block, and whether both are.
func around(c, shift, last, step int) (low, high, both int) {
	switch c >> shift & last {
	case 0:
		return c, c + step, 0
	case last:
		return c - step, c, 0
	}
	return c - step, c + step, 1
}

// wetFraction is the part of a cell of edge h that is liquid, to first order in the distance: for what
// the liquid of a single cell is compared with. LevelSet.Fraction measures.
func wetFraction(phi, h float32) float32 { return max(0, min(1, .5-phi/h)) }

// resize gives every block the level that surface, view, bodies and budget ask for.
func (l *Liquid) resize() {
	l.begin(StageSizing)
	i, w, plan := &l.blocksInfo, &l.world, &l.step.report.Plan
	l.coupling.regions = l.coupling.regions[:0]
	margin := float64(l.def.BodyBand) * l.def.CellSize
	l.coupling.appendRegions(margin, l.def.Domain)
	w.appendRegions(&l.coupling.regions, margin)
	i.mouths, i.jets = l.appendMouths(i.mouths[:0]), l.appendJets(i.jets[:0])
	band := float64(l.def.Band) / grid.Edge
	deep, deepest := band, band
	if plan.TargetUnknowns > 0 { // as deep as the budget allows
		deep, deepest = 0, max(band, sizing.DefaultThicknessCap)
	}
	out := l.sizer.Plan(&sizing.Input{
		MinAbs: i.nearest, Fraction: i.fraction, Wet: i.wet, Band: i.band,
		Bodies: l.coupling.regions, Emitters: i.mouths, Jets: i.jets,
	}, sizing.Knobs{
		CoarsestLevel: grid.MaxLevel + 1 - l.def.Levels, InvisibleLevel: grid.MaxLevel - plan.InvisibleLevel,
		ViewGain: plan.ViewGain, TargetUnknowns: plan.TargetUnknowns, Thickness: deep, ThicknessCap: deepest, Changes: plan.Changes,
	})
	i.demand, plan.UnseenCoarser = out, out.UnseenShort
	if out.Knob != "" {
		l.warn(out.Knob, out.Text)
	}
	l.refresh()
	l.lap(out.Refined + out.Coarsened)
}

// refresh gives the blocks that are new in Cur the old velocity and pressure.
func (l *Liquid) refresh() {
	g, i := l.grid, &l.blocksInfo
	i.fresh = i.fresh[:0]
	for b := range int32(g.Bases()) {
		if g.Cur.First[b] != g.Prev.First[b] {
			i.fresh = append(i.fresh, b)
		}
	}
	if len(i.fresh) > 0 {
		l.pool.For(len(i.fresh), 1, l.freshChunk)
		l.carrier.Refresh(&l.faces)
		l.wakeFresh()
	}
}

// refreshBlock gives the cells of a new block what the old cells at their middles had.
func (l *Liquid) refreshBlock(b int32) {
	g := l.grid
	now, was := g.Cur.Level[b], g.Prev.Level[b]
	first, old := g.Cur.First[b], g.Prev.First[b]
	at := func(i int32) int32 { return (2*i + 1) << was >> (now + 1) }
	n := int32(1) << now
	to := first
	for z := range n {
		for y := range n {
			row := old + (at(y)+at(z)<<was)<<was
			for x := range n {
				from := row + at(x)
				l.press[to], l.volumes.label[to] = l.press[from], l.volumes.label[from]
				to++
			}
		}
	}
}

// relayout carries the state over to levels that were changed outside of a step.
func (l *Liquid) relayout() {
	l.refresh()
	l.readSolids(-l.lag(), (*Liquid).standStill)
	l.readThin()
	l.set.Advance(l.vel, 0)
	l.foam.Advance(l.set.Phi, l.vel, 0)
	l.settleLayout()
}

func (l *Liquid) settleLayout() {
	l.grid.Settle()
	l.vel.Gather(l.pool, &l.faces)
	l.set.Publish()
	l.foam.Publish()
	l.resurvey()
}

// Levels appends the blocks of the grid, for an overlay, and returns dst.
func (l *Liquid) Levels(dst []LevelBox) []LevelBox {
	defer l.enter(&inLevels).leave()
	g := l.grid
	edge := float64(g.H * grid.Edge)
	for b := range int32(g.Bases()) {
		lo := toVec(g.Corner(b))
		dst = append(dst, LevelBox{
			Box:   r3.Box{Min: lo, Max: r3.Add(lo, r3.Vec{X: edge, Y: edge, Z: edge})},
			Level: grid.MaxLevel - int(g.Cur.Level[b]), Wet: l.blocksInfo.wet.Contains(uint32(b)),
		})
	}
	return dst
}

// appendRegions lists where bodies want the grid fine, whatever the camera sees.
func (c *coupling) appendRegions(margin float64, domain r3.Box) {
	for i := range c.count() {
		if c.bodies.Kind(i) == StaticBody {
			continue
		}
		box := c.bodies.Bounds(i)
		if overlaps(box, domain) && c.takes(i) && c.badPlaceOf(i) == "" {
			size := c.bodies.Thickness(i)
			if !(size >= 0) { // unknown
				size = math.MaxFloat32
			}
			c.regions = append(c.regions, sizing.Region{Box: box, Margin: margin, Size: size, Asleep: !c.bodies.Awake(i)})
		}
	}
}
