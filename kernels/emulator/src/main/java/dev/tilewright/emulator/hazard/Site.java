package dev.tilewright.emulator.hazard;

/**
 * The site of an event: an instruction, and the CTA, warp and lane that executed it.
 *
 * @param kernel name of the entry
 * @param statement index in the entry's body
 * @param line line of the text that the module was read from, otherwise of the text that the writer writes; counted
 *     from 1
 * @param instruction text of the statement
 * @param cta linear id of the CTA in the grid
 * @param rank of the CTA in its cluster
 * @param warp of the CTA
 * @param lane of the warp, the lowest of those concerned
 */
public record Site(String kernel, int statement, int line, String instruction, int cta, int rank, int warp, int lane) {
    @Override
    public String toString() {
        return ShownName.of(kernel) + " line " + line + " '" + ShownName.ofInstruction(instruction) + "' (CTA " + cta
                + " rank " + rank + ", warp " + warp + ", lane " + lane + ")";
    }
}
