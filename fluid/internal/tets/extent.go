package tets

// BytesPerCell is what a finest cell of the layout costs at worst, with two lattices, fields, cuts and solver together: measured by TestMemoryEstimate of
// package fluid.
const BytesPerCell = 14000
