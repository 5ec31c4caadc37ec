package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/graphic"
)

// plainDefine is on what liquids change nothing about.
const plainDefine = "MENISCUS_PLAIN"

// Untouched has Draw show what is under a node now as if there were no liquid: without the light that waves bundle or mirror, and never wet. Shadows
// stay, see ShadowlessNode. A game sets the define MENISCUS_PLAIN on a material to have the same for all that is of it.
func Untouched(n core.INode) { defineUnder(n, plainDefine) }

// defineUnder sets a define for the programs of all that is under a node now.
func defineUnder(node core.INode, define string) {
	for n := range under(node) {
		if g, ok := n.(graphic.IGraphic); ok {
			g.GetGraphic().ShaderDefines.Set(define, "1")
		}
	}
}
