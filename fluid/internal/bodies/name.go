package bodies

import (
	"fmt"

	"github.com/meniscus3d/meniscus/fluid/engine"
)

// longestName is how many runes of a body's name are told.
const longestName = 64

// name is what the engine calls body i, quoted; empty if it calls it nothing, or doesn't have the body any more.
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

// Identity is the ID of body i, as it was at the last Read if there was one, and its name if it has one.
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

// Called is what warnings call body i.
func (c *Coupling) Called(i int) string { return fmt.Sprintf("body %d (%s)", i, c.Identity(i)) }

// named is the names of those of some bodies that have one, in brackets, with a blank before them; empty if none has.
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
