package main

import (
	"fmt"
	"math"

	"github.com/meniscus3d/meniscus/demo/internal/falling"
	"github.com/meniscus3d/meniscus/demo/internal/scenes"
	"github.com/meniscus3d/meniscus/demo/internal/shapes"
)

// source is the angel, or the mesh of a file.
var source = falling.Source{Load: load, Over: scenes.Falling, Room: scenes.Angel.Domain, Level: scenes.PoolLevel}

// load reads a mesh from an OBJ file, or makes the angel where none is named.
func load(file string) (shapes.Mesh, error) {
	if file == "" {
		return shapes.Angel(scenes.AngelTall), nil
	}
	m, err := shapes.Load(file, scenes.AngelTall)
	if err != nil {
		return m, err
	}
	box, room := m.Bounds(), scenes.Angel.Domain.Size()
	if size := box.Size(); math.Hypot(size.X, size.Z) > min(room.X, room.Z) {
		return m, fmt.Errorf("%s: is %.2f m wide and %.2f m deep where it is %.2f m high, too much for the pool", file, size.X, size.Z, size.Y)
	}
	return m, nil
}
