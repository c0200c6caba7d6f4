package dev.tilewright.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Blocks, names and regions as the builder keeps them. */
class BuilderTest {
    @Test
    void outerBlockIsRefusedWhileAnInnerOneIsOpen() {
        assertThatThrownBy(() -> code(b -> b.loop("tiles", (inner, loop) -> b.syncThreads())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("block 'entry k' cannot be used while its inner block 'loop tiles' is open");
    }

    @Test
    void evenARegisterOfTheOuterBlockIsRefused() {
        assertThatThrownBy(() -> code(b -> b.role("load", 0, 1, inner -> b.b32("x"))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'entry k'")
                .hasMessageContaining("'role load'");
    }

    @Test
    void closedBlockIsRefused() {
        List<CodeBuilder> kept = new ArrayList<>();
        assertThatThrownBy(() -> code(b -> {
                    b.ifThen(b.eq(b.b32("x", 0), 0), kept::add);
                    kept.getFirst().ret();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("block 'then' is closed");
    }

    @Test
    void entryBuilderIsRefusedInsideCode() {
        assertThatThrownBy(() -> PtxModule.build(Target.SM_90A, m -> m.entry("k", e -> e.code(b -> e.u32("late")))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("entry builder 'k' cannot declare parameter 'late' while its block 'code' is open");
    }

    @Test
    void guardedBlockTakesNoLabel() {
        assertThatThrownBy(() -> code(b -> b.guarded(b.pred("p"), g -> g.ifThen(b.pred("q"), t -> {}))))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void nameTakenInAnEnclosingBlockIsRefused() {
        assertThatThrownBy(() -> code(b -> {
                    b.b32("stage");
                    b.role("load", 0, 1, r -> r.b32("stage"));
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("register 'stage' is already declared in block 'entry k'");
    }

    @Test
    void blocksSideBySideMayUseOneName() {
        String text = code(b -> {
            b.role("load", 0, 1, r -> r.b32("stage", 1));
            b.role("math", 1, 1, r -> r.b32("stage", 2));
            Reg<B32> x = b.b32("x", 0);
            b.ifThen(b.eq(x, 1), t -> t.b32("y", 3));
            b.ifThen(b.eq(x, 2), t -> t.b32("y", 4));
        });
        assertThat(text).contains("%load_stage", "%math_stage", "mov.b32 %y, 3;", "mov.b32 %y_2, 4;");
    }

    @Test
    void namesOfNumberedAndSpecialRegistersAreRefused() {
        assertThatThrownBy(() -> code(b -> b.b32("r12")))
                .hasMessageContaining("'r12' is a name of a numbered register");
        assertThatThrownBy(() -> code(b -> b.b32("tid"))).hasMessageContaining("'tid' is a special register");
    }

    @Test
    void namesThatWouldMeetAreKeptApart() {
        String text = code(b -> {
            b.bind(b.newLabel("wait 2"));
            b.bind(b.newLabel("wait"));
            b.bind(b.newLabel("wait"));
        });
        assertThat(text).contains("WAIT_2:\nWAIT:\nWAIT_3:\n");
        assertThatThrownBy(() -> code(b -> {
                    b.b32("acc_1");
                    b.f32Array("acc", 4);
                }))
                .hasMessage("register: array 'acc' would declare %acc_1 a second time");
    }

    @Test
    void sharedRegionsAreAlignedAndDoNotOverlap() {
        PtxModule.build(
                Target.SM_90A,
                m -> m.entry("k", e -> {
                    SharedRegion a = e.shared("a", 100, 16);
                    SharedRegion full = e.barriers("full", 3);
                    SharedRegion tile = e.shared("tile", 2048, 1024);
                    assertThat(a.offset()).isZero();
                    assertThat(full.offset()).isEqualTo(104);
                    assertThat(full.count()).isEqualTo(3);
                    assertThat(tile.offset()).isEqualTo(1024);
                    assertThat(e.sharedLayout().bytes()).isEqualTo(3072);
                    assertThat(e.sharedLayout().alignment()).isEqualTo(1024);
                    assertThatThrownBy(() -> e.shared("a", 4, 4)).hasMessage("shared region 'a' is already allocated");
                    assertThatThrownBy(() -> full.barrier(Reg.b32("%r0"), 3))
                            .hasMessage("shared region full: byte must be in 0..23, got 24");
                    assertThatThrownBy(() -> a.barrier(Reg.b32("%r0"), 0))
                            .hasMessage("shared region a holds no barriers");
                }));
    }

    @Test
    void warpIndexIsComputedOncePerBlockThatAsks() {
        String text = code(b -> {
            b.warpIndex();
            b.role("a", 0, 1, CodeBuilder::warpIndex);
            b.role("b", 1, 1, CodeBuilder::warpIndex);
        });
        assertThat(text.split("shfl", -1)).hasSize(2);
    }

    @Test
    void theStartOfSharedMemoryIsReadOncePerBlockThatAsks() {
        String once = inShared((b, region) -> {
            b.ld32(region.at(b, 8));
            b.role("a", 0, 1, a -> a.ld32(region.at(a, a.warpIndex())));
            b.role("b", 1, 1, r -> r.ld32(region.element(r, r.warpIndex(), 12)));
        });
        assertThat(once.split(", smem;", -1)).hasSize(2);
        assertThat(once).contains("ld.shared::cta.b32 %r1, [%r0+136];").containsOnlyOnce(", 12, %r0;");
        String inEachRole = inShared((b, region) -> {
            b.role("a", 0, 1, a -> a.ld32(region.at(a, 8)));
            b.role("b", 1, 1, r -> r.add(region.pointer(r, 4), 1));
        });
        assertThat(inEachRole.split(", smem;", -1)).hasSize(3);
        assertThat(inEachRole).containsPattern("add\\.[su]32 %r\\d+, %r\\d+, 132;");
        assertThatThrownBy(() -> inShared((b, region) -> region.at(b, 64)))
                .hasMessage("shared region data: byte must be in 0..63, got 64");
    }

    /** An entry with a region of 64 bytes behind 128 others. */
    private static String inShared(BiConsumer<CodeBuilder, SharedRegion> code) {
        return PtxWriter.write(PtxModule.build(
                Target.SM_90A,
                m -> m.entry("k", e -> {
                    e.shared("before", 128, 16);
                    SharedRegion region = e.shared("data", 64, 16);
                    e.code(b -> code.accept(b, region));
                })));
    }

    private static String code(Consumer<CodeBuilder> code) {
        return PtxWriter.write(PtxModule.build(Target.SM_90A, m -> m.entry("k", e -> e.code(code))));
    }
}
