package waves

import "github.com/meniscus3d/meniscus/fluid/internal/arrays"

// fans are the triangles around each vertex.
type fans struct {
	first []int32 // per vertex, and two more: where its corners begin
	list  []int32 // corners of the triangles, three per triangle, by vertex
}

func (f *fans) set(vertices int, triangles []uint32) {
	f.first, f.list = arrays.Resize(f.first, vertices+2), arrays.Resize(f.list, len(triangles))
	clear(f.first)
	for _, v := range triangles {
		f.first[v+2]++
	}
	for v := range vertices {
		f.first[v+2] += f.first[v+1]
	}
	for i, v := range triangles {
		at := &f.first[v+1]
		f.list[*at] = int32(i)
		*at++
	}
}

// at are the corners at a vertex: triangle i/3 has it as its vertex i%3.
func (f *fans) at(v int32) []int32 { return f.list[f.first[v]:f.first[v+1]] }
