package control

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// solver is the state of a morph's computation. Positions y are in the axes of their frame, in rows of three numbers per vertex.
//
// Frames in between minimise ½ yᵀ K y for each coordinate, subject to constraints of single vertices, A y = b, and one of the volume per frame,
// B y = q. The constraints of single vertices are eliminated first: with P = K⁻¹ - K⁻¹Aᵀ(A K⁻¹Aᵀ)⁻¹A K⁻¹ the solution is y = base - P Bᵀμ, where
// base is the solution without the volume's constraint, and (B P Bᵀ) μ = B base - q.
type solver struct {
	*timeline
	morph        *Morph
	factor       banded
	inverse      [][]float64 // of K
	axes         []axes      // per frame
	targetVolume []float64   // per frame: its volume, m³

	y       [][]float64 // per frame
	between [][]float64 // those of the frames in between
	base    [][]float64 // per frame in between: without the volume's constraint
	areas   [][]float64 // area vectors, per interval or per frame in between
	turns   []turning
	groups  []group
}

func newSolver(m *Morph) (*solver, error) {
	times, volumes, intervals := make([]float64, len(m.Keys)), make([]float64, len(m.Keys)), make([]int, len(m.Keys)-1)
	for k, key := range m.Keys {
		times[k], volumes[k] = key.Time, geom.Volume(key.Positions, m.Triangles)
		if k < len(intervals) {
			intervals[k] = int(m.intervals(k))
			if step := (m.Keys[k+1].Time - key.Time) / float64(intervals[k]); step < minStep {
				return nil, fmt.Errorf("Keys[%d].Time: frames are %g s apart; must be at least %g s", k, step, minStep)
			}
		}
	}
	s := &solver{timeline: newTimeline(times, intervals), morph: m}
	s.factor = s.timeline.factor()
	s.inverse = s.factor.inverse()
	s.targetVolume = s.timeline.volumes(volumes)
	s.setAxes()
	columns := 3 * len(m.Keys[0].Positions)
	s.y, s.base, s.areas = rows(len(s.times), columns), rows(len(s.frames), columns), rows(len(s.times)-1, columns)
	for _, f := range s.frames {
		s.between = append(s.between, s.y[f])
	}
	for k, key := range m.Keys {
		for v, x := range key.Positions {
			setVec(s.y[s.at[k]], int32(v), s.axes[s.at[k]].local(x))
		}
	}
	s.turns = make([]turning, len(m.Triangles))
	s.interpolate(s.base, s.y, s.solveColumns)
	if err := s.constrain(); err != nil {
		return nil, err
	}
	return s, nil
}

// solveColumns applies K⁻¹ to rows of frames in between, in blocks of columns that fit in a core's cache.
func (s *solver) solveColumns(x [][]float64) {
	if len(x) == 0 {
		return
	}
	for lo := 0; lo < len(x[0]); lo += gramColumns {
		s.factor.solve(x, lo, min(lo+gramColumns, len(x[0])))
	}
}

// setAxes sets the axes of every frame. Their origin is on the curve of least accelerations through the centres of the keys. That does not change the least
// accelerations of the rest, and keeps numbers small.
func (s *solver) setAxes() {
	s.axes = make([]axes, len(s.times))
	keys := make([][]r3.Vec, len(s.morph.Keys))
	for k, key := range s.morph.Keys {
		keys[k] = key.Positions
	}
	weights := vertexAreas(keys, s.morph.Triangles)
	times, turns, centres := make([]float64, len(keys)), make([]quat.Number, len(keys)), make([]r3.Vec, len(keys))
	curve, between := rows(len(s.times), 3), rows(len(s.frames), 3)
	for k, x := range keys {
		times[k], turns[k], centres[k] = s.times[s.at[k]], identity, weightedCentre(x, weights)
		setVec(curve[s.at[k]], 0, r3.Sub(centres[k], centres[0]))
		if k > 0 && !s.morph.FixedAxes {
			turns[k] = unitQuat(reproducible.QuatMul(fit(keys[k-1], x, centres[k-1], centres[k], weights), turns[k-1]))
		}
	}
	s.interpolate(between, curve, func(x [][]float64) { s.factor.solve(x, 0, 3) })
	key := 0
	for f := range s.axes {
		var turn quat.Number
		if k := s.key[f]; k >= 0 {
			key = int(k)
			turn = turns[k]
			s.axes[f].centre = centres[k]
		} else {
			turn = orientation(turns, times, key, s.times[f])
			s.axes[f].centre = r3.Add(centres[0], vec(between[s.free[f]], 0))
		}
		s.axes[f].rows = reproducible.RotationRows(turn)
	}
}

// iterate reaches the volumes in passes, and returns their number.
func (s *solver) iterate() (passes int, err error) {
	for i := range s.between {
		copy(s.between[i], s.base[i])
	}
	if len(s.frames) == 0 {
		return 0, nil
	}
	s.progress(0.2)
	s.turnedPass()
	step, before := 1.0, math.Inf(1)
	for passes = 1; ; passes++ {
		s.progress(1 - 0.7/float64(passes))
		miss, worst, frame := s.misses()
		if worst <= VolumeTolerance {
			return passes, nil
		}
		if expected := 1 - float64(step/2); worst > expected*expected*before {
			step /= 2
		}
		if passes == descending {
			step = 0
		}
		before = worst
		if passes == s.morph.Passes {
			return passes, fmt.Errorf("%d; %w: frame %d (%.4g s) is off by %.2g of its volume; must be at most %g: allow more passes, or more keys between",
				passes, ErrVolume, frame, s.times[frame], worst, VolumeTolerance)
		}
		if err := s.framePass(miss, step); err != nil {
			return passes, err
		}
	}
}

// progress reports the share that is done.
func (s *solver) progress(fraction float64) {
	if s.morph.Progress != nil {
		s.morph.Progress(fraction)
	}
}

// misses sets the area vectors of the frames in between, and returns the volume that each lacks, m³, and the greatest relative error with its frame.
func (s *solver) misses() (miss []float64, worst float64, frame int) {
	miss = make([]float64, len(s.frames))
	for i, f := range s.frames {
		miss[i] = s.targetVolume[f] - areaVectors(s.areas[i], s.between[i], s.morph.Triangles)
		if off := math.Abs(miss[i]) / s.targetVolume[f]; off > worst {
			worst, frame = off, int(f)
		}
	}
	return miss, worst, frame
}

// descending is the number of passes that reduce accelerations. Later ones only correct the volume: they are for morphs with so
// few frames, or such turns between them, that each step towards least accelerations costs as much volume as was gained.
const descending = 12

// framePass moves every frame so that its volume is right to first order: w·(y_new - y) is the volume that it lacks, with w its area vectors, the volume's
// gradient. Along surfaces of equal volume it moves a part, step, of the way to the least accelerations: all of it, unless w
// turns too much on that way.
func (s *solver) framePass(miss []float64, step float64) error {
	n := len(s.frames)
	schur := square(n)
	w := s.areas[:n]
	addGram(schur, w, 1)
	for i := range n {
		for j := range i + 1 {
			schur[i][j] *= s.inverse[i][j]
		}
	}
	s.subtractGroups(schur, w, func(i int) (plus, minus int32) { return int32(i), -1 })
	right := make([]float64, n)
	for i := range n {
		right[i] = dotDifference(w[i], s.base[i], s.between[i]) - miss[i]
	}
	if i := cholesky(schur, dependent); i >= 0 {
		f := s.frames[i]
		return fmt.Errorf("Positions and Velocities hold frame %d (%.4g s) so that its volume can't be kept, or its surface has shrunk to none: must leave vertices free, or be a key", f, s.times[f])
	}
	lowerSolve(schur, right)
	upperSolve(schur, right)
	if step < 1 {
		// y_new = (1 - step)·y + step·base - P wᵀμ: the part of μ that corrects the volumes of y is not scaled.
		lowerSolve(schur, miss)
		upperSolve(schur, miss)
		for i := range n {
			right[i] = float64(step*right[i]) - float64((1-step)*miss[i])
		}
	}
	for i, row := range w {
		mu := right[i]
		for c := range row {
			row[c] *= mu
		}
	}
	s.applyRows(w, step)
	return nil
}

// applyRows computes P Bᵀμ from rows of Bᵀμ, and subtracts it from the mean of base, with weight step, and the frames in between. x may be
// the rows of the frames if step is 1.
func (s *solver) applyRows(x [][]float64, step float64) {
	s.solveColumns(x)
	s.project(x)
	for i, row := range s.between {
		base, x := s.base[i], x[i]
		for c := range row {
			if step < 1 {
				row[c] = float64((1-step)*row[c]) + float64(step*base[c]) - x[c]
			} else {
				row[c] = base[c] - x[c]
			}
		}
	}
}

// dependent is the least relative pivot of a row that counts as independent of those before it.
const dependent = 1e-13

// turnedPass is the first pass. The constraint of an interval is w·(y_next - y) = V_next - V, with w the area vectors of triangles that turn from
// key to key. Where the shape doesn't change, one of the constraints between two keys depends on the others. The pass uses differences of neighbouring
// constraints: dropping one would prefer a direction of time. If even these depend on each other the pass does nothing.
func (s *solver) turnedPass() {
	for k := range len(s.at) - 1 {
		from, to := s.at[k], s.at[k+1]
		turnedAreas(s.areas[from:to], s.y[from], s.y[to], s.morph.Triangles, s.turns)
	}
	s.intervalPass()
}

// intervalPass corrects the intervals' volumes with their area vectors.
func (s *solver) intervalPass() {
	n := len(s.times) - 1
	whole := square(n)
	addGram(whole, s.areas, 1)
	ends := func(i int) (plus, minus int32) { return s.free[i+1], s.free[i] }
	for i := range n {
		p, m := ends(i)
		for j := range i + 1 {
			q, o := ends(j)
			whole[i][j] *= s.inverseAt(p, q) - s.inverseAt(p, o) - s.inverseAt(m, q) + s.inverseAt(m, o)
		}
	}
	s.subtractGroups(whole, s.areas, ends)
	residual := make([]float64, n)
	for i := range n {
		residual[i] = dotDifference(s.areas[i], s.y[i+1], s.y[i]) - (s.targetVolume[i+1] - s.targetVolume[i])
	}
	schur, right := neighbours(whole, s.frames), make([]float64, len(s.frames))
	for i, f := range s.frames {
		right[i] = residual[f-1] - residual[f]
	}
	if cholesky(schur, dependent) >= 0 {
		return
	}
	lowerSolve(schur, right)
	upperSolve(schur, right)
	lambda := make([]float64, n) // of intervals
	for i, f := range s.frames {
		lambda[f-1] += right[i]
		lambda[f] -= right[i]
	}
	for i, f := range s.frames {
		row, before, after := s.between[i], s.areas[f-1], s.areas[f]
		lb, la := lambda[f-1], lambda[f]
		for c := range row {
			row[c] = float64(lb*before[c]) - float64(la*after[c])
		}
	}
	s.applyRows(s.between, 1)
}

// inverseAt returns an element of K⁻¹; 0 if one of the frames is a key.
func (s *solver) inverseAt(i, j int32) float64 {
	if i < 0 || j < 0 {
		return 0
	}
	return s.inverse[i][j]
}

// neighbours returns the products of differences of neighbouring intervals' rows, one per frame in between. Only the lower half of whole is read.
func neighbours(whole [][]float64, frames []int32) [][]float64 {
	at := func(i, j int32) float64 { return whole[max(i, j)][min(i, j)] }
	d := square(len(frames))
	for i, f := range frames {
		for j, g := range frames[:i+1] {
			d[i][j] = at(f-1, g-1) - at(f-1, g) - at(f, g-1) + at(f, g)
		}
	}
	return d
}

// clip returns the frames in the world. Frames of keys have the keys' bits.
func (s *solver) clip() *Clip {
	n := len(s.morph.Keys[0].Positions)
	c := newClip(s.morph.Triangles, s.times, n)
	for f := range s.times {
		x := c.positions[f*n : (f+1)*n]
		if k := s.key[f]; k >= 0 {
			copy(x, s.morph.Keys[k].Positions)
			continue
		}
		for v := range x {
			x[v] = s.axes[f].world(vec(s.y[f], int32(v)))
		}
	}
	for f := range s.times {
		c.deriveVelocities(f)
	}
	return c
}

func (s *solver) report(c *Clip) Report {
	r := Report{Times: s.times, Volumes: make([]float64, len(s.times)), VolumeRates: make([]float64, len(s.times)-1)}
	n := c.vertices
	for f := range s.times {
		r.Volumes[f] = geom.Volume(c.positions[f*n:(f+1)*n], c.triangles)
		r.VolumeError = max(r.VolumeError, math.Abs(r.Volumes[f]-s.targetVolume[f])/s.targetVolume[f])
		if f > 0 {
			r.VolumeRates[f-1] = (r.Volumes[f] - r.Volumes[f-1]) / (s.times[f] - s.times[f-1])
		}
	}
	for f := 1; f+1 < len(s.times); f++ {
		before, after := s.times[f]-s.times[f-1], s.times[f+1]-s.times[f]
		sum := 0.0
		for v := range n {
			p, x, q := c.positions[(f-1)*n+v], c.positions[f*n+v], c.positions[(f+1)*n+v]
			d := r3.Sub(reproducible.Scale(1/after, r3.Sub(q, x)), reproducible.Scale(1/before, r3.Sub(x, p)))
			sum += reproducible.Norm2(d)
		}
		r.Acceleration += 2 * sum / (before + after)
	}
	return r
}
