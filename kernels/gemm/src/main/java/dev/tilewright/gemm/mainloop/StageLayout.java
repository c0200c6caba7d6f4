package dev.tilewright.gemm.mainloop;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.space.operand.OperandTile;
import java.util.List;

/**
 * The content of a stage of one CTA: the tiles of its operands, one behind the other.
 *
 * @param slots number of stages
 * @param tiles of equal depth
 */
public record StageLayout(int slots, List<OperandTile> tiles) {

    public StageLayout {
        tiles = List.copyOf(tiles);
    }

    /** The tile of an operand. */
    public OperandTile tile(OperandRole role) {
        return tiles.stream()
                .filter(tile -> tile.role() == role)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("a stage holds " + tiles + ", not " + role));
    }

    /** Bytes of a stage before the tile of an operand. */
    public int offset(OperandRole role) {
        return tiles.stream()
                .takeWhile(tile -> tile.role() != role)
                .mapToInt(OperandTile::bytes)
                .sum();
    }

    /** Panels side by side along K, of the operand that has most. */
    public int panels() {
        return tiles.stream().mapToInt(OperandTile::panelsAlongK).max().orElseThrow();
    }

    /** Elements along K of one of these panels. */
    public int panelDepth() {
        return tileK() / panels();
    }

    /** Elements along K. */
    public int tileK() {
        return tiles.getFirst().depth();
    }

    /** Bytes of a stage. */
    public int bytes() {
        return tiles.stream().mapToInt(OperandTile::bytes).sum();
    }
}
