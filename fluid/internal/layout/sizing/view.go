package sizing

import (
	"errors"
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/fluid/internal/geom"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// View is a camera.
type View = query.View

// Margins by which a block may lie outside of the frustum and still count as visible, so that
// nothing changes level at the edge of the picture.
const (
	edgeMargin = 1.      // base cells
	edgeSlope  = 1. / 16 // per metre of distance: 3.6°, a turn of 215°/s at 60 steps/s
)

// orthoFade is how many octaves of cell size the corner of an orthographic picture may
// lose against its middle. Without it all blocks would have the same size in pixels, and a
// target could only take all or none.
const orthoFade = .25

var errView = errors.New("sizing: the view's matrices must be finite and invertible and its height positive; the last good view stays")

// camera is a View made ready for testing boxes.
type camera struct {
	ortho  bool
	eye    [3]float64    // m; perspective only
	planes [6][4]float64 // unit normals into the frustum; offsets of base cells' middles, margin included, m
	count  int
	half   float64    // edge of a base cell, m
	scale  float64    // pixels per metre: at 1 m, or everywhere if orthographic
	x, y   [4]float64 // clip coordinates of a point, orthographic only
}

var errViews = fmt.Errorf("sizing: there are too many views; at most %d may be; the last good ones stay", query.MaxViews)

// SetViews changes the cameras; zero Views among them count for nothing. It returns an error, and keeps
// the last good views, where a matrix is not finite or can show nothing, or there are more than query.MaxViews.
// Perspective and orthographic projections of any depth convention will do.
func (s *Sizer) SetViews(views ...View) error {
	if len(views) > query.MaxViews {
		return errViews
	}
	cameras := s.spare[:0]
	for _, v := range views {
		if v == (View{}) {
			continue
		}
		c, ok := newCamera(v, s.edge)
		if !ok {
			return errView
		}
		cameras = append(cameras, c)
	}
	s.cameras, s.spare = cameras, s.cameras
	s.views = s.views[:0]
	for _, v := range views {
		if v != (View{}) {
			s.views = append(s.views, v)
		}
	}
	return nil
}

// Views are the cameras', until the next SetViews.
func (s *Sizer) Views() []View { return s.views }

// WantsFiner tells whether cameras see blocks that are to be finer than they are, by the effort of the last plan. It changes nothing that a plan depends on.
//
// in: without regions; knobs: without a target, whose effort is known.
func (s *Sizer) WantsFiner(in *Input, knobs Knobs) bool {
	s.check(in)
	if s.knobs = knobs.withDefaults(); s.started {
		s.knobs.TargetUnknowns, s.knobs.Thickness = math.MaxInt, 0
	}
	rest := s.restLoad
	s.findLiquid(in)
	s.weigh(in)
	clear(s.pin)
	s.pinned.Clear()
	s.pinned.Grow(uint32(len(s.pin)))
	s.classify(in)
	_, most := s.gains()
	e := s.effort
	if !s.started || e.thick > 0 { // all that is seen has what it wants
		e.gain = most
	}
	s.wish(e, s.top)
	s.restLoad = rest
	for b, l := range s.want {
		if l > s.g.Cur.Level[b] && s.visible.Contains(uint32(b)) {
			return true
		}
	}
	return false
}

// sees tells whether a camera may see the base cell with the given middle, and how many pixels a metre of it
// covers: with the camera that shows it largest, of those that see it if one does.
func (s *Sizer) sees(mid [3]float64) (seen bool, pixels float64) {
	for i := range s.cameras {
		now, p := s.cameras[i].sees(mid)
		switch {
		case now && !seen:
			seen, pixels = true, p
		case now == seen:
			pixels = max(pixels, p)
		}
	}
	return seen, pixels
}

func newCamera(v View, edge float64) (c camera, ok bool) {
	var m, p [16]float64
	for i := range 16 {
		m[i], p[i] = float64(v.View[i]), float64(v.Projection[i])
	}
	clip := mul(p, m)
	for _, x := range clip {
		if !geom.Finite(x) {
			return c, false
		}
	}
	eye, ok := origin(m)
	height := math.Sqrt(float64(p[4]*p[4]) + float64(p[5]*p[5])) // clip units per unit of view-space y; also if the picture is turned
	depth := math.Sqrt(float64(p[3]*p[3]) + float64(p[7]*p[7]) + float64(p[11]*p[11]))
	c.ortho = depth == 0
	if !ok || v.Height <= 0 || height == 0 || p[0] == 0 && p[1] == 0 || c.ortho && p[15] == 0 {
		return c, false
	}
	c.eye = eye
	c.scale = height * float64(v.Height) / 2
	if c.ortho {
		c.scale *= math.Sqrt(float64(m[1]*m[1])+float64(m[5]*m[5])+float64(m[9]*m[9])) / math.Abs(p[15])
	} else {
		c.scale /= depth
	}
	for k := range 4 {
		c.x[k], c.y[k] = clip[4*k]/nonzero(p[15]), clip[4*k+1]/nonzero(p[15])
	}
	c.half = edge / 2
	c.setPlanes(clip)
	return c, c.scale > 0 && !math.IsInf(c.scale, 0)
}

func nonzero(x float64) float64 {
	if x == 0 {
		return 1
	}
	return x
}

// setPlanes takes the frustum's planes from the rows of the clip matrix: w ± x, w ± y, w - z,
// and for orthographic views w + z. A perspective's near plane is left out: what is nearer
// counts as seen, and the four sides together exclude what lies behind.
// Source: Gribb, Hartmann 2001, Fast Extraction of Viewing Frustum Planes.
func (c *camera) setPlanes(clip [16]float64) {
	n := 5
	if c.ortho {
		n = 6
	}
	for i, side := range [6]struct {
		row  int
		sign float64
	}{{0, 1}, {0, -1}, {1, 1}, {1, -1}, {2, -1}, {2, 1}} {
		if i == n {
			break
		}
		var q [4]float64
		for k := range 4 {
			q[k] = clip[4*k+3] + float64(side.sign*clip[4*k+side.row])
		}
		length := math.Sqrt(float64(q[0]*q[0]) + float64(q[1]*q[1]) + float64(q[2]*q[2]))
		if length < 1e-9*math.Abs(q[3]) || length == 0 {
			continue // an infinitely far plane
		}
		for k := range q {
			q[k] /= length
		}
		q[3] += float64(c.half*(math.Abs(q[0])+math.Abs(q[1])+math.Abs(q[2]))) + float64(edgeMargin*2*c.half)
		c.planes[c.count] = q
		c.count++
	}
}

// sees tells whether the base cell with the given middle may be in the frustum, and how many pixels
// a metre of it covers, or would.
func (c *camera) sees(mid [3]float64) (bool, float64) {
	dx := max(math.Abs(mid[0]-c.eye[0])-c.half, 0)
	dy := max(math.Abs(mid[1]-c.eye[1])-c.half, 0)
	dz := max(math.Abs(mid[2]-c.eye[2])-c.half, 0)
	distance, margin := math.Sqrt(float64(dx*dx)+float64(dy*dy)+float64(dz*dz)), 0.
	if !c.ortho {
		margin = edgeSlope * distance
	}
	seen := true
	for i := range c.planes[:c.count] {
		if q := &c.planes[i]; float64(q[0]*mid[0])+float64(q[1]*mid[1])+float64(q[2]*mid[2])+q[3] < -margin {
			seen = false
			break
		}
	}
	if c.ortho {
		x := float64(c.x[0]*mid[0]) + float64(c.x[1]*mid[1]) + float64(c.x[2]*mid[2]) + c.x[3]
		y := float64(c.y[0]*mid[0]) + float64(c.y[1]*mid[1]) + float64(c.y[2]*mid[2]) + c.y[3]
		return seen, c.scale * reproducible.Exp2(-orthoFade*min(math.Sqrt(float64(x*x)+float64(y*y))/math.Sqrt2, 1))
	}
	return seen, c.scale / max(distance, c.half/8) // half a finest cell: the eye may be inside
}

// mul is the product of two column-major 4×4 matrices.
func mul(a, b [16]float64) (c [16]float64) {
	for col := range 4 {
		for row := range 4 {
			for k := range 4 {
				c[4*col+row] += float64(a[4*k+row] * b[4*col+k])
			}
		}
	}
	return c
}

// origin is the point that an affine column-major matrix sends to zero, by Cramer's rule.
func origin(m [16]float64) (x [3]float64, ok bool) {
	col := func(i int) [3]float64 { return [3]float64{m[4*i], m[4*i+1], m[4*i+2]} }
	a, b, c, t := col(0), col(1), col(2), col(3)
	det := triple(a, b, c)
	if det == 0 || math.IsNaN(det) {
		return x, false
	}
	return [3]float64{-triple(t, b, c) / det, -triple(a, t, c) / det, -triple(a, b, t) / det}, true
}

func triple(a, b, c [3]float64) float64 {
	return float64(a[0]*(float64(b[1]*c[2])-float64(b[2]*c[1]))) +
		float64(a[1]*(float64(b[2]*c[0])-float64(b[0]*c[2]))) +
		float64(a[2]*(float64(b[0]*c[1])-float64(b[1]*c[0])))
}
