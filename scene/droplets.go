package scene

import (
	"github.com/g3n/engine/core"
	"github.com/g3n/engine/geometry"
	"github.com/g3n/engine/gls"
	"github.com/g3n/engine/graphic"

	"github.com/meniscus3d/meniscus/fluid"
)

// dropletCloud draws droplets as spheres on points.
type dropletCloud struct {
	graphic.Graphic
	shared     *shared
	uniforms   uniformSet
	spheres    *gls.VBO
	velocities *gls.VBO
	still      []float32 // zeros, for sources that give no velocities
}

func newDropletCloud(sh *shared) *dropletCloud {
	d := &dropletCloud{shared: sh}
	geom := geometry.NewGeometry()
	d.spheres = streamed(geom, func(v *gls.VBO) { v.AddCustomAttrib("Droplet", 4) })
	d.velocities = streamed(geom, func(v *gls.VBO) { v.AddCustomAttrib("DropletVelocity", 3) })
	mat := newMaterial(dropletProgram)
	mat.SetTransparent(true)
	mat.SetDepthMask(false)
	d.Graphic.Init(d, geom, gls.POINTS)
	d.AddMaterial(d, mat, 0, 0)
	d.SetCullable(false)
	d.SetRenderable(false)
	d.SetRenderOrder(11)
	return d
}

// set shows a surface's droplets from now on. It keeps the slices until the next call.
func (d *dropletCloud) set(s *fluid.Surface) {
	n := len(s.Droplets) / 4
	d.SetRenderable(n > 0)
	v := s.DropletVelocities
	if len(v) < 3*n {
		for len(d.still) < 3*n {
			d.still = append(d.still, 0)
		}
		v = d.still
	}
	d.spheres.SetBuffer(s.Droplets[:4*n])
	d.velocities.SetBuffer(v[:3*n])
}

// RenderSetup is called by g3n before drawing.
func (d *dropletCloud) RenderSetup(gs *gls.GLS, info *core.RenderInfo) {
	sh, u := d.shared, &d.uniforms
	sh.common(gs, info, u)
	u.float(gs, "Back", sh.back)
	u.mat4(gs, "View", &info.ViewMatrix)
	perspective := float32(1)
	if info.ProjMatrix[11] == 0 {
		perspective = 0
	}
	u.vec2(gs, "Scale", 0.5*float32(sh.height)*info.ProjMatrix[5], perspective)
	u.bindTexture(gs, "SceneColor", unitColor, sh.color)
}
