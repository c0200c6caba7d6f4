package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.PtxModule;
import java.util.List;
import java.util.Map;

/**
 * A module and where in the text it came from.
 *
 * @param positions for each kernel by name, the position of every statement of its body, in their order
 */
public record ParsedModule(PtxModule module, Map<String, List<Position>> positions) {
    public ParsedModule {
        positions = Map.copyOf(positions);
    }

    /** The position at which a statement of a kernel's body begins. */
    public Position position(String entry, int statement) {
        List<Position> all = positions.get(entry);
        if (all == null || statement < 0 || statement >= all.size()) {
            throw new IllegalArgumentException("no statement " + statement + " in an entry named " + entry);
        }
        return all.get(statement);
    }
}
