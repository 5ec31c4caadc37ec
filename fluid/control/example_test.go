package control_test

import (
	"bytes"
	"fmt"
	"log"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/control"
)

// cube returns a box whose half sizes are given, m.
func cube(a, b, c float64) []r3.Vec {
	var x []r3.Vec
	for i := range 8 {
		at := func(bit int, half float64) float64 { return half * float64(2*(i>>bit&1)-1) }
		x = append(x, r3.Vec{X: at(0, a), Y: at(1, b), Z: at(2, c)})
	}
	return x
}

var cubeTriangles = [][3]int32{
	{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
	{2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5},
}

// A cube becomes a column of the same volume in a second, leaves upwards, and is saved for the game to load.
func ExampleMorph() {
	morph := control.Morph{
		Triangles: cubeTriangles,
		Keys: []control.Key{
			{Time: 0, Positions: cube(.5, .5, .5)},
			{Time: 1, Positions: cube(.25, .25, 2)},
		},
		FramesPerSecond: 60,
	}
	for vertex := range 8 {
		morph.Velocities = append(morph.Velocities, control.VelocityConstraint{Time: 1, Vertex: vertex, Velocity: r3.Vec{Z: 3}})
	}
	clip, report, err := morph.Solve()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d frames in %g s; volume 1 m³ to 1e-8: %v\n", clip.Frames(), clip.Duration(), report.VolumeError <= 1e-8)

	var file bytes.Buffer
	if err := clip.Save(&file); err != nil {
		log.Fatal(err)
	}
	loaded, err := control.Load(&file)
	if err != nil {
		log.Fatal(err)
	}
	var mesh control.Mesh
	loaded.At(loaded.Duration(), &mesh)
	fmt.Printf("at the end it leaves with %.3f m/s\n", mesh.Velocities[7].Z)
	// Output:
	// 61 frames in 1 s; volume 1 m³ to 1e-8: true
	// at the end it leaves with 3.000 m/s
}

// A clip in a loop at half speed, carried along by the game.
func ExamplePlayer() {
	clip, err := control.NewClip(cubeTriangles, []control.Frame{
		{Time: 0, Positions: cube(.5, .5, .5)},
		{Time: 1, Positions: cube(.5, .5, 1)},
		{Time: 2, Positions: cube(.5, .5, .5)},
	})
	if err != nil {
		log.Fatal(err)
	}
	player := control.NewPlayer(clip)
	player.Loop = true
	player.Speed = .5
	const dt = 1. / 60
	for step := range 60 { // of the game
		player.Advance(dt)
		player.Pose = control.Pose{
			Position: r3.Vec{X: 2 * dt * float64(step+1), Y: 3},
			Velocity: r3.Vec{X: 2},
		}
		mesh := player.Mesh()
		if step == 59 {
			top, v := mesh.Positions[7], mesh.Velocities[7]
			fmt.Printf("%.2f s: corner at (%.2f, %.2f, %.2f) m, (%.2f, %.2f, %.2f) m/s\n", player.Time, top.X, top.Y, top.Z, v.X, v.Y, math.Abs(v.Z))
			fmt.Printf("the liquid grows by %.3f m³/s\n", mesh.VolumeRate())
		}
	}
	// Output:
	// 0.50 s: corner at (2.50, 3.50, 0.88) m, (2.00, 0.00, 0.25) m/s
	// the liquid grows by 0.500 m³/s
}
