package scene

import (
	"io"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/scene/adapter"
)

// LoadMesh reads all faces of an OBJ file as triangles: see adapter.LoadMesh.
func LoadMesh(path string) (vertices []r3.Vec, triangles [][3]int32, err error) {
	return adapter.LoadMesh(path)
}

// ReadMesh is LoadMesh from a reader.
func ReadMesh(r io.Reader) (vertices []r3.Vec, triangles [][3]int32, err error) {
	return adapter.ReadMesh(r)
}
