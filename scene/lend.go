package scene

import (
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
)

// lend gives every program that draws something of the scene what it may read of the passes before; assets/shaders/sunlight.glsl
// and lightmap.glsl declare it. It sets uniforms, which stay while the scene and the liquids are drawn, and binds textures to units that no material uses.
func (f *frame) lend() error {
	gs := f.gs
	gs.ActiveTexture(gls.TEXTURE0 + unitLight)
	gs.BindTexture(gls.TEXTURE_2D, f.target("light").color())
	f.bindSun()
	beside, under := f.margin()
	light := f.lightUniforms()
	return f.stage.drawn.each(f.rend, func(u *uniformSet) {
		u.integer(gs, "FrontDepth", unitFront)
		u.vec3(gs, "Margin", math32.Vector3{X: float32(beside), Y: float32(under)})
		f.lendSun(u)
		light.lend(gs, u)
		f.lendWetness(u)
	})
}

// bindSun binds the map of what the sun sees.
func (f *frame) bindSun() {
	f.gs.ActiveTexture(gls.TEXTURE0 + unitSun)
	f.gs.BindTexture(gls.TEXTURE_2D, f.target("shadow").depth)
}

// lendSun sets the uniforms of assets/shaders/sunlight.glsl.
func (f *frame) lendSun(u *uniformSet) {
	on := float32(0)
	if w, _ := shadowSize(f); w > 0 {
		on = 1
	}
	world := f.stage.sun.matrix()
	u.integer(f.gs, "SunDepth", unitSun)
	u.mat4(f.gs, "SunFromWorld", &world)
	u.vec3(f.gs, "SunMap", math32.Vector3{X: on, Y: 1 / float32(sunTexels), Z: f.stage.sun.texel})
}
