package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
)

// code goes along what acts on the liquid. A game's shapes are code and can't be written: their bounds and kinds must be the same; what steps and calls change of the rest is state.
// restacks tells whether obstacles that were read stand still now and moved before, or the other way round.
func (w *surroundings) code(c *codec.Codec) (restacks bool) {
	w.fields.Code(c)
	c.Part("obstacles")
	list := c.List(len(w.obstacles.All))
	for list.Next() {
		restacks = w.obstacles.Code(c, list.At) || restacks
	}
	return restacks
}
