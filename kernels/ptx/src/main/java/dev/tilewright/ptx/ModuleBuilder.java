package dev.tilewright.ptx;

import dev.tilewright.ptx.type.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Collects the kernels of one module; made by {@link PtxModule#build}. */
public final class ModuleBuilder {
    /** The name of the dynamic shared memory in every module. */
    public static final String DYNAMIC_SHARED = "smem";

    private final Target target;
    private final List<Entry> entries = new ArrayList<>();
    private boolean inEntry;

    ModuleBuilder(Target target) {
        this.target = target;
    }

    /** Adds a kernel. */
    public void entry(String name, Consumer<EntryBuilder> body) {
        if (inEntry) {
            throw new IllegalStateException("module cannot open entry '" + name + "' while another entry is open");
        }
        inEntry = true;
        EntryBuilder builder = new EntryBuilder(name);
        body.accept(builder);
        entries.add(builder.build());
        inEntry = false;
    }

    PtxModule build() {
        int alignment = entries.stream()
                .map(Entry::dynamicShared)
                .filter(layout -> layout.bytes() > 0)
                .mapToInt(SharedLayout::alignment)
                .max()
                .orElse(0);
        List<SharedDecl> shared = alignment == 0 ? List.of() : List.of(SharedDecl.dynamic(DYNAMIC_SHARED, alignment));
        return new PtxModule(target, shared, entries);
    }
}
