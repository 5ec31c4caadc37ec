package sizing

import (
	"math"
	"slices"

	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/layout"
	"github.com/meniscus3d/meniscus/fluid/internal/query"
)

// Code encodes or decodes what the sizer remembers from plan to plan, and its view.
func (s *Sizer) Code(c *codec.Codec) {
	c.Part("sizing")
	c.Uint8s(s.held, len(s.held), 0, math.MaxUint8)
	c.Int64(&s.target, 0, math.MaxInt64)
	c.Int(&s.effort.gain, -1<<20, 1<<20)
	c.Int(&s.effort.thick, 0, thickenings)
	if c.Version() >= 4 {
		c.Int(&s.effort.unseen, 0, unseenSteps)
	} else if c.Reading() {
		s.effort.unseen = unseenSteps
	}
	c.Bool(&s.started)
	c.Int(&s.fresh, 0, math.MaxInt32)
	c.Float64(&s.reserve, leastReserve, mostReserve)
	if c.Version() >= 2 {
		c.Int64(&s.restLoad, 0, math.MaxInt64)
		c.Int(&s.finest, 0, all)
		c.Int(&s.roomForRegion, 0, math.MaxInt32)
		c.Int(&s.regionDelay, 0, math.MaxInt32)
		c.Int(&s.sinceRegion, 0, all)
		c.Int(&s.lastGained, -1, all)
		top := int(s.top)
		c.Int(&top, 1, layout.MaxLevel)
		s.top = uint8(top)
		c.Int(&s.roomForFinest, 0, math.MaxInt32)
	} else if c.Reading() {
		s.restLoad, s.finest, s.top = 0, all, layout.MaxLevel
		s.roomForRegion, s.regionDelay, s.sinceRegion, s.lastGained, s.roomForFinest = 0, 0, all, -1, 0
	}
	if c.Version() >= 6 {
		c.Int(&s.overShare, 0, math.MaxInt32)
	} else if c.Reading() {
		s.overShare = 0
	}
	s.codeView(c)
}

// codeView encodes or decodes the views. How many there are besides the first stands above its height, so that a state of one
// view is what it always was.
func (s *Sizer) codeView(c *codec.Codec) {
	c.Part("view")
	const most = math.MaxFloat32
	views := append(s.coded[:0], s.views...)
	more := max(len(views)-1, 0)
	for i := 0; i <= more; i++ {
		if i == len(views) {
			views = append(views, View{})
		}
		v := &views[i]
		c.Float32s(v.View[:], len(v.View), -most, most)
		c.Float32s(v.Projection[:], len(v.Projection), -most, most)
		if i > 0 {
			c.Int(&v.Height, 0, math.MaxInt32)
		} else if v.Height, more = c.Halves(v.Height, more, math.MaxInt32, query.MaxViews-1); c.Failed() {
			break
		}
	}
	s.coded = views
	if !c.Reading() {
		return
	}
	if views = views[:more+1]; !slices.Equal(views, s.views) && s.SetViews(views...) != nil { // what shows nothing is none
		_ = s.SetViews() // can't fail
	}
}
