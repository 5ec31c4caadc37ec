package scene

import (
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/math32"
)

// lend gives every program that draws something of the scene what it may read of the passes before; assets/shaders/sunlight.glsl
// declares it. It sets uniforms, which stay while the scene and the liquids are drawn, and binds textures to units that no material uses.
func (f *frame) lend() error {
	gs, sh := f.gs, f.stage.liquid.shared
	shadow := f.target("shadow")
	gs.ActiveTexture(gls.TEXTURE0 + unitSun)
	gs.BindTexture(gls.TEXTURE_2D, shadow.depth)
	on := float32(0)
	if w, _ := shadowSize(f); w > 0 {
		on = 1
	}
	world, sun := f.stage.sun.matrix(), sh.sky.sun()
	var view, fromView math32.Matrix4
	if view.GetInverse(&f.view) != nil {
		view.Identity()
	}
	fromView.MultiplyMatrices(&world, &view)
	toSun := math32.Vector4{X: sun.X, Y: sun.Y, Z: sun.Z}
	toSun.ApplyMatrix4(&f.view)
	beside, under := f.margin()
	return f.stage.drawn.each(f.rend, func(u *uniformSet) {
		u.integer(gs, "SunDepth", unitSun)
		u.integer(gs, "FrontDepth", unitFront)
		u.vec3(gs, "Margin", math32.Vector3{X: float32(beside), Y: float32(under), Z: f.beside})
		u.mat4(gs, "SunFromWorld", &world)
		u.mat4(gs, "SunFromView", &fromView)
		u.vec3(gs, "SunView", math32.Vector3{X: toSun.X, Y: toSun.Y, Z: toSun.Z})
		u.vec3(gs, "SunMap", math32.Vector3{X: on, Y: 1 / float32(sunTexels), Z: f.stage.sun.texel})
	})
}
