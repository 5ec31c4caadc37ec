module github.com/meniscus3d/meniscus/demo/raylib

go 1.26

require (
	github.com/gen2brain/raylib-go/raylib v0.60.0
	github.com/meniscus3d/meniscus v0.0.0
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/ebitengine/purego v0.10.0 // indirect
	github.com/jupiterrider/ffi v0.7.0 // indirect
	github.com/kelindar/bitmap v1.5.5 // indirect
	github.com/kelindar/simd v1.2.0 // indirect
	github.com/klauspost/cpuid/v2 v2.3.0 // indirect
	golang.org/x/exp v0.0.0-20240506185415-9bf2ced13842 // indirect
	golang.org/x/sys v0.41.0 // indirect
)

replace github.com/meniscus3d/meniscus => ../..
