package fluid

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/boxes"
	"github.com/meniscus3d/meniscus/fluid/internal/grid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// fieldGrain is how many blocks workers take at a time to push them by fields.
const fieldGrain = 4

// fieldIndex lists which fields act where, so that what is far from a block costs it nothing. It leaves out those that are the same
// everywhere, which are part of gravity.
type fieldIndex struct {
	stale bool
	wide  []int32 // fields without a rim
	local []int32 // fields with one
	first []int32 // per base cell, and one more: where its part of list begins
	list  []int32 // fields that reach into a base cell, in their order
	funcs []int32 // those that are functions
	asked funcScratch
}

func (n *fieldIndex) any() bool { return len(n.wide)+len(n.local) > 0 }

// placeFields brings the index up to date.
func (l *Liquid) placeFields() {
	w := &l.world
	n := &w.fieldsIn
	if !n.stale {
		return
	}
	n.stale = false
	n.wide, n.local, n.funcs = n.wide[:0], n.local[:0], n.funcs[:0]
	bases := l.m.Grid.Bases()
	n.first = arrays.Resize(n.first, bases+1)
	clear(n.first)
	strong := 0. // of those without a rim together
	for i, f := range w.fields {
		if f.Kind == FuncField {
			n.funcs = append(n.funcs, int32(i))
		}
		switch {
		case f.everywhere():
		case f.Radius == 0:
			n.wide = append(n.wide, int32(i))
			strong += math.Abs(f.Strength)
		default:
			n.local = append(n.local, int32(i))
			l.eachReached(&f.Field, func(b int32) { n.first[b+1]++ })
		}
	}
	for b := range bases {
		n.first[b+1] += n.first[b]
	}
	n.list = arrays.Resize(n.list, int(n.first[bases]))
	for _, i := range n.local {
		l.eachReached(&w.fields[i].Field, func(b int32) {
			n.list[n.first[b]] = i
			n.first[b]++
		})
	}
	copy(n.first[1:], n.first[:bases]) // each had moved on to the next one's
	n.first[0] = 0
	w.strongest = strong + l.strongestBlock() + reproducible.Norm(l.m.Gravity)
}

// strongestBlock bounds what the fields with a rim accelerate liquid by together in any one block, m/s².
func (l *Liquid) strongestBlock() (most float64) {
	n := &l.world.fieldsIn
	for b := range l.m.Grid.Bases() {
		sum := 0.
		for _, i := range n.list[n.first[b]:n.first[b+1]] {
			sum += math.Abs(l.world.fields[i].Strength)
		}
		if !(sum <= most) {
			most = sum
		}
	}
	return most
}

// eachReached calls visit for the base cells that a field with a rim may reach into.
func (l *Liquid) eachReached(f *Field, visit func(b int32)) {
	box := boxes.Grown(r3.Box{Min: f.Centre, Max: f.Centre}, f.Radius)
	whole := l.m.Whole()
	if f.Kind == VortexField {
		box = whole
	}
	if !boxes.Overlap(box, whole) {
		return
	}
	half := float64(l.m.Grid.H * grid.Edge / 2)
	most := f.Radius + float64(math.Sqrt(3)*half)
	l.m.EachBase(box, func(b int32) {
		arm := r3.Sub(r3.Add(reproducible.Vector(l.m.Grid.Corner(b)), r3.Vec{X: half, Y: half, Z: half}), f.Centre)
		if f.Kind == VortexField {
			arm = r3.Sub(arm, reproducible.Scale(reproducible.Dot(arm, f.Axis), f.Axis))
		}
		if reproducible.Norm(arm) <= most {
			visit(b)
		}
	})
}

// fieldsAt lists the fields that may act at a place: those without a rim, and others.
func (l *Liquid) fieldsAt(x r3.Vec) (wide, local []int32) {
	l.placeFields()
	n := &l.world.fieldsIn
	if !n.any() {
		return nil, nil
	}
	if len(n.local) == 0 || !boxes.Contains(l.m.Whole(), x) {
		return n.wide, n.local
	}
	b, _, _, _ := l.m.Grid.Locate(l.m.Grid.ToPoint(x.X, x.Y, x.Z))
	return n.wide, n.list[n.first[b]:n.first[b+1]]
}

// pushBlock adds the fields that are no functions to a block's faces.
func (l *Liquid) pushBlock(_ int, b int32) {
	gr, n, dt := &l.graph, &l.world.fieldsIn, l.m.Dt
	lo, hi := gr.Parts[b].Face, gr.Parts[b+1].Face
	if lo == hi {
		return
	}
	lists := [2][]int32{n.wide, n.list[n.first[b]:n.first[b+1]]}
	if len(lists[0])+len(lists[1]) == 0 {
		return
	}
	for f := lo; f < hi; f++ {
		x, axis, u := reproducible.Vector(gr.FaceCentre(int(f))), gr.Axis[f], gr.U[f]
		for _, list := range lists {
			for _, i := range list {
				if field := l.world.fields[i]; field.Kind != FuncField && field.reaches(x) {
					u += float64(dt * reproducible.Array(field.at(x))[axis])
				}
			}
		}
		gr.U[f] = u
	}
}

// reaches tells whether a place may be within a field's rim: it need not be near the centre of one that turns around an axis.
func (f *Field) reaches(x r3.Vec) bool {
	arm := r3.Sub(x, f.Centre)
	return f.Radius == 0 || f.Kind == VortexField || reproducible.Dot(arm, arm) < float64(f.Radius*f.Radius)
}

// fieldsReachLiquid tells whether some field that differs from place to place reaches a block with liquid.
func (l *Liquid) fieldsReachLiquid() bool {
	l.placeFields()
	n := &l.world.fieldsIn
	if len(n.wide) > 0 || len(n.list) == 0 {
		return len(n.wide) > 0
	}
	for b := range l.m.Grid.Bases() {
		if n.first[b] < n.first[b+1] && l.m.Survey.Wet.Contains(uint32(b)) {
			return true
		}
	}
	return false
}

// keepAwakeByFields keeps the blocks awake that fields which differ from place to place reach into.
func (l *Liquid) keepAwakeByFields() {
	l.placeFields()
	n := &l.world.fieldsIn
	if len(n.wide) > 0 {
		l.m.Sleep.KeepAwake()
		return
	}
	for b := range l.m.Sleep.Calm {
		if n.first[b] < n.first[b+1] {
			l.m.Sleep.Calm[b] = 0
		}
	}
}
