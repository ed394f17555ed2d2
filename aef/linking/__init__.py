"""Which mentions name the same person or thing: linker, candidates, clusters, the published method."""
