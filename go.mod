module github.com/meniscus3d/meniscus

go 1.26

require (
	github.com/g3n/engine v0.2.1-0.20220618150654-b5c63e94be77
	github.com/kelindar/bitmap v1.5.5
	golang.org/x/sys v0.41.0
	gonum.org/v1/gonum v0.17.0
	pgregory.net/rapid v1.2.0
)

require (
	github.com/go-gl/glfw/v3.3/glfw v0.0.0-20210410170116-ea3d685f79fb // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/kelindar/simd v1.2.0 // indirect
	github.com/klauspost/cpuid/v2 v2.3.0 // indirect
	golang.org/x/image v0.25.0 // indirect
	gopkg.in/yaml.v2 v2.4.0 // indirect
)
