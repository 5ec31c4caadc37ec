package bodies

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/engine"
)

// longestName is the greatest number of runes of a body's name in texts.
const longestName = 64

// name returns the engine's name of body i, quoted; empty if it has none, or if the body is gone.
func (c *Coupling) name(i int) string {
	from, can := c.Bodies.(engine.Naming)
	if !can || i < 0 || i >= c.Count() || i < len(c.state) && !c.stillThere(i) {
		return ""
	}
	name := from.BodyName(i)
	if name == "" {
		return ""
	}
	return fmt.Sprintf("%.*q", longestName, name)
}

// Identity returns the ID of body i as of the last Read, or the current one before any Read, and the body's name if it has one.
func (c *Coupling) Identity(i int) string {
	var id uint64
	if i < len(c.state) {
		id = c.state[i].id
	} else {
		id = c.Bodies.ID(i)
	}
	if name := c.name(i); name != "" {
		return fmt.Sprintf("ID %d, %s", id, name)
	}
	return fmt.Sprintf("ID %d", id)
}

// Called returns the text that names body i in warnings.
func (c *Coupling) Called(i int) string { return fmt.Sprintf("body %d (%s)", i, c.Identity(i)) }

// named returns the names of bodies in brackets, after a blank; empty if none has a name.
func (c *Coupling) named(bodies ...int) (names string) {
	for _, i := range bodies {
		switch name := c.name(i); {
		case name == "":
		case names == "":
			names = " (" + name
		default:
			names += ", " + name
		}
	}
	if names != "" {
		names += ")"
	}
	return names
}
