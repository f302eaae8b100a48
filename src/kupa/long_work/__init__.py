"""Work that takes long: in portions, over processes or a cluster, with a journal from which it goes on."""
