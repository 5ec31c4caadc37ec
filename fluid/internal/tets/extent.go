package tets

// BytesPerCell is what a finest cell of the layout costs at worst, with two lattices, fields, cuts and solver together: measured by TestMemoryEstimate of
// package fluid.
const BytesPerCell = 12000

// StuffedBytesPerCell is that of Stuffed, whose rows are twelve tetrahedra a cell and more: measured by TestFaithfulMemory of package fluid.
const StuffedBytesPerCell = 30000
