package fluid_test

import (
	"bytes"
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// A saved game: bodies and liquid are written, and read in another process that has made the same scene.
func ExampleLiquid_Save() {
	liq, world := tank()
	defer liq.Close()
	addCrate(world, r3.Vec{X: .5, Y: .8, Z: .5}, 400)
	liq.Couple(world.Coupling())
	for range 10 {
		liq.Step(1. / 60)
	}
	var bodies, liquid bytes.Buffer // files, in a game
	if err := world.Save(&bodies); err != nil {
		fmt.Println(err)
		return
	}
	if err := liq.Save(&liquid); err != nil {
		fmt.Println(err)
		return
	}

	again, world2 := tank() // the same Def, emitters, sinks, fields and obstacles
	defer again.Close()
	if err := world2.Restore(&bodies); err != nil { // the bodies come first
		fmt.Println(err)
		return
	}
	again.Couple(world2.Coupling())
	if err := again.Restore(&liquid); err != nil {
		fmt.Println(err)
		return
	}
	for range 10 {
		liq.Step(1. / 60)
		again.Step(1. / 60)
	}
	fmt.Println("the same bits:", liq.Hash() == again.Hash(), world.Hash() == world2.Hash())
	// Output:
	// the same bits: true true
}

// Rollback: a networked game keeps the state of a tick, and takes the steps again when an input comes late.
func ExampleLiquid_CopyTo() {
	liq, world := tank()
	defer liq.Close()
	crate := addCrate(world, r3.Vec{X: .5, Y: .6, Z: .5}, 400)
	liq.Couple(world.Coupling())
	kept, keptWorld := tank()
	defer kept.Close()
	world.CopyTo(keptWorld)
	kept.Couple(keptWorld.Coupling())
	keep := func() error { // bodies first; it does not allocate once it has been called
		world.CopyTo(keptWorld)
		return liq.CopyTo(kept)
	}
	back := func() error {
		keptWorld.CopyTo(world)
		return kept.CopyTo(liq)
	}

	if err := keep(); err != nil {
		fmt.Println(err)
		return
	}
	for range 5 {
		liq.Step(1. / 60)
	}
	predicted := liq.Hash()
	if err := back(); err != nil { // another player's input came late
		fmt.Println(err)
		return
	}
	for range 5 {
		liq.Step(1. / 60)
	}
	fmt.Println("the same steps give the same bits:", liq.Hash() == predicted)
	err := back()
	if err == nil {
		err = crate.SetVelocity(r3.Vec{Y: -3}) // the input
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 5 {
		liq.Step(1. / 60)
	}
	fmt.Println("with the input they differ:", liq.Hash() != predicted)
	// Output:
	// the same steps give the same bits: true
	// with the input they differ: true
}

// A server within a budget of wall time sends its plans; a client that follows them has the same bits.
func ExampleLiquid_Replay() {
	server, _ := tank()
	defer server.Close()
	client, _ := tank()
	defer client.Close()
	if err := server.SetBudget(fluid.Budget{Step: 4e6}); err != nil { // 4 ms: the plan depends on the machine
		fmt.Println(err)
		return
	}
	same := true
	for n := range 20 {
		if n == 5 {
			splash := fluid.Sphere(r3.Vec{X: .5, Y: .8, Z: .5}, .15)
			for _, l := range []*fluid.Liquid{server, client} { // the same calls on both
				if err := l.Fill(splash); err != nil {
					fmt.Println(err)
					return
				}
			}
		}
		report := *server.Step(1. / 60)
		if err := client.Replay(report.Plan); err != nil {
			fmt.Println(err)
			return
		}
		client.Step(1. / 60)
		same = same && client.Hash() == server.Hash()
	}
	fmt.Println("the same bits in each step:", same)
	// Output:
	// the same bits in each step: true
}
