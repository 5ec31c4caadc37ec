package stuffing

type snapping struct{}

func (m *Mesher) snapVertices() {}
