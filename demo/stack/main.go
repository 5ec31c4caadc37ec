// Stack shows rigid bodies alone: a stack, a pile, a chain, a large mass ratio, a house of
// cards, Newton's cradle and dominoes, each with a number for what it has to do well.
//
//	go run ./demo/stack -scene cards
//	.ci/with-display go run ./demo/stack -headless
package main

import (
	"os"

	"github.com/meniscus3d/meniscus/demo/internal/play"
)

func main() { os.Exit(demo.Run(os.Args[1:])) }

var demo = play.Acts[*run]{
	Name: "stack", Acts: sceneNames(),
	New:    func(index int) (*run, error) { return newRun(scenes[index]) },
	Report: summary,
}
