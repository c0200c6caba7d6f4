package dev.tilewright.ptx.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.CachePolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A line of the table is of its record, and a mnemonic has one line. */
class FormTest {
    @Test
    void lineNamesComponentsOfItsRecord() {
        assertThatThrownBy(() -> new Form(BitField.Insert.class, "bfi.{kind} d a:type"))
                .hasMessage("form: Insert has no component kind");
        assertThatThrownBy(() -> new Form(BitField.Insert.class, "bfi.{type} d:type a:t99"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Form(BitField.Insert.class, "bfi.{type} d a:type"))
                .hasMessage("form: Insert says no type of register d");
    }

    @Test
    void mnemonicWithMoreWordsIsItsOwn() {
        List<String> written = List.of("async", "bulk", "wait_group", "read");
        assertThat(Forms.of("cp", written::contains)).containsSame(Forms.of(BulkCopy.WaitGroup.class));
        assertThat(Forms.of("cp", List.of("async", "wait_group")::contains))
                .containsSame(Forms.of(AsyncCopy.WaitGroup.class));
        assertThat(Forms.of("cp", List.of("async", "bulk")::contains)).isEmpty();
    }

    @Test
    void opcodeOfOthersIsFoundByItsWord() {
        assertThat(Forms.of("and", List.of("b32")::contains)).isEmpty();
        assertThat(Forms.of("and", List.of("pred")::contains)).isPresent();
        assertThat(Forms.of("min", List.of("s16x2")::contains)).isEmpty();
    }

    @Test
    void nearestLineSharesMostWords() {
        assertThat(Forms.of("createpolicy", List.of("cvt", "b64")::contains)).isEmpty();
        assertThat(Forms.nearest("createpolicy", List.of("cvt", "b64")::contains))
                .containsSame(Forms.of(CachePolicy.FromProperty.class));
    }

    @Test
    void wordThatMayBeMissingIsNotNeeded() {
        List<String> tile = List.of("async", "bulk", "tensor", "global", "shared::cta", "bulk_group");
        assertThat(Forms.of("cp", tile::contains)).containsSame(Forms.of(BulkCopy.TensorStore.class));
    }
}
