// Package scene draws a liquid in a g3n scene: a node that steps the liquid, uploads its
// surface and shades it with refraction, absorption, reflection, foam and droplets; daylight, a
// room and materials that go with it; nodes that follow bodies, and bodies that are shown and
// dragged; models that are checked and become bodies; controls, with which the liquid takes the shape of a model or a clip; a HUD
// and overlays. Command demo/hello is a small game made of them.
//
// Everything here that touches OpenGL stays on the goroutine that made the window. The steps
// run on another, see Liquid.Update, and beside the frames with LiquidOptions.Async.
//
// It is the adapter to g3n of package scene/adapter, which has what any engine's adapter needs: a
// game on another engine uses that one alone, see scene/README.md.
//
// # Colours
//
// Light is linear inside this package's shaders. Each ends with one tone map and the sRGB
// curve. g3n's own materials write display colours straight away; the tone map is the
// identity up to 0.8, so they look under and beside the liquid as they do without it.
package scene
