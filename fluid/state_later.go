package fluid

import (
	"github.com/meniscus3d/meniscus/fluid/internal/codec"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/wind"
)

// What versions after 7 added to the state stands at its end. As long as it is what it was before a call or a step made something of it, it has
// no part in the hash, which so is the same as that of a file of an older version.

// addedParts go along such parts each.
var addedParts = [...]func(*simulation, *codec.Codec){(*simulation).codeLater, (*simulation).codeControls, (*simulation).codeRemedies, (*simulation).codeWhiteWater}

// hasAdded tells whether a part is not as in a new liquid, or is white water that there may be.
func (l *simulation) hasAdded(part int) bool {
	return [len(addedParts)]bool{l.around.Flows.HasLater() || l.around.Wind != (wind.Wind{}), len(l.around.Controls.All) > 0, l.attempts.Recent(), l.whiteWater.Most > 0}[part]
}

// codeWhiteWater goes along the white water. A liquid without any writes nothing, and one that may have some begins without where none was written.
func (l *simulation) codeWhiteWater(c *codec.Codec) {
	if w := l.whiteWater; c.Writing() && w.Most > 0 || c.Version() >= 12 && c.More() {
		w.Code(c)
	} else if c.Reading() {
		w.Clear()
	}
}

// codeLater goes along what later versions added.
func (l *simulation) codeLater(c *codec.Codec) {
	a := &l.around
	if c.Version() < 8 {
		if c.Reading() {
			l.around.Flows.ForgetLater()
			a.Wind = wind.Wind{}
		}
		return
	}
	l.around.Flows.CodeLater(c, l.can.Tiles.Whole())
	a.Wind.Code(c, maxMotion)
}

// codeRemedies goes along what steps leave out, which has a part in the hash if a step went wrong not long ago.
func (l *simulation) codeRemedies(c *codec.Codec) {
	if c.Version() >= 11 {
		l.attempts.Code(c)
	} else if c.Reading() {
		l.attempts = remedies.Ladder{}
	}
}

// codeControls goes along the controls. They have a part in the hash if there are some. Before version 9 there were none, and there must be none.
func (l *simulation) codeControls(c *codec.Codec) {
	set := &l.around.Controls
	if c.Version() >= 9 {
		set.Code(c)
	} else if len(set.All) > 0 {
		c.Part("controls")
		c.Fail("there were none when this was saved, there are %d: add them after Restore", len(set.All))
	}
}
