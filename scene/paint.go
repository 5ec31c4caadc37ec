package scene

import (
	"github.com/g3n/engine/material"
	"github.com/g3n/engine/math32"
)

// NewPaint returns a lit material of one colour, as a display shows it, for g3n's meshes and Show.
// gloss, 0 to 1, is how bright a lamp's mirror image is on it.
func NewPaint(c math32.Color, gloss float32) *material.Standard {
	m := material.NewStandard(&c)
	m.SetSpecularColor(&math32.Color{R: gloss, G: gloss, B: gloss})
	m.SetShininess(10 + 80*gloss)
	return m
}
