package main

import rl "github.com/gen2brain/raylib-go/raylib"

// intervalPass sums the faces of the water, both sides and whatever hides them: how far one looks through water in each pixel, and whether the eye
// is in it. The sums are right whatever the order of the faces, since the surface is closed.
type intervalPass struct {
	target
	program
}

func (i *intervalPass) open() {
	i.colors = rl.UncompressedR32g32b32a32 // raylib has none of two numbers; without depths, no face hides another
	i.program = newProgram("vertex", "rays", "interval")
}

func (i *intervalPass) draw(p *picture) {
	i.begin(p.camera)
	rl.ClearBackground(rl.Blank)
	rl.DisableBackfaceCulling()
	rl.BeginBlendMode(rl.BlendAddColors) // GL_ONE, GL_ONE
	p.lend(&i.program)
	i.setTexture("sceneDepth", 10, p.scene.Depth.ID)
	rl.DrawMesh(p.water.Mesh, i.Material, rl.MatrixIdentity())
	rl.EndBlendMode()
	rl.EnableBackfaceCulling()
	i.end()
}
