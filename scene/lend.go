package scene

import (
	"github.com/g3n/engine/math32"
)

// lend gives every program that draws something of the scene what it may read of the passes before; assets/shaders/sunlight.glsl
// and lightmap.glsl declare it. It sets uniforms, which stay while the scene and the liquids are drawn, and binds textures to units that no material uses.
func (f *frame) lend() error {
	gs := f.gs
	f.bindLight()
	bindUnit(gs, unitOpen, f.target("open").color())
	cut := [4]float32{2: float32(f.cut), 3: f.beside}
	if f.cut == cutBefore {
		beside, under := f.margin()
		cut[0], cut[1] = float32(beside), float32(under)
	}
	murk, light := f.murk(), f.lightUniforms()
	return f.stage.drawn.each(f.rend, func(u *uniformSet) {
		u.integer(gs, "FrontDepth", unitFront)
		u.integer(gs, "Inside", unitInside)
		u.vec4(gs, "Cut", cut)
		u.vec3s(gs, "Murk", murk[:])
		f.lendSun(u)
		f.lendOpen(u)
		light.lend(gs, u)
		f.lendWetness(u)
	})
}

// bindLight binds what the sun sees, and the light that liquids bend and mirror.
func (f *frame) bindLight() {
	f.bindSun()
	bindUnit(f.gs, unitLight, f.target("light").color())
}

// bindSun binds the map of what the sun sees.
func (f *frame) bindSun() {
	bindUnit(f.gs, unitSun, f.target("shadow").depth)
}

// lendSun sets the uniforms of assets/shaders/sunlight.glsl.
func (f *frame) lendSun(u *uniformSet) {
	w, _ := shadowSize(f)
	world := f.stage.sun.matrix()
	u.integer(f.gs, "SunDepth", unitSun)
	u.mat4(f.gs, "SunFromWorld", &world)
	u.vec3(f.gs, "SunMap", math32.Vector3{X: oneIf(w > 0), Y: 1 / float32(sunTexels), Z: f.stage.sun.texel})
}
