package dev.tilewright.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FoldedColumnsTest {

    private static final List<String> NAMES = List.of("us", "stage", "regs", "tail");

    @Test
    void equalColumnsAreOneTextAndThoseWithoutAValueAreGone() {
        FoldedColumns folded = FoldedColumns.of(
                NAMES, List.of(List.of("8.27", "screen", "168", "-"), List.of("8.31", "screen", "168", "–")));
        assertThat(folded.differing()).containsExactly(0);
        assertThat(folded.all()).isEqualTo("stage screen; regs 168");
    }

    @Test
    void oneRowAloneKeepsItsValues() {
        FoldedColumns folded = FoldedColumns.of(NAMES, List.of(List.of("8.27", "screen", "", "1 %")));
        assertThat(folded.differing()).containsExactly(0, 1, 3);
        assertThat(folded.all()).isEmpty();
        assertThat(FoldedColumns.of(NAMES, List.of()).all()).isEmpty();
    }
}
