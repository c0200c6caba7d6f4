package dev.tilewright.worker.gpu.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.worker.gpu.cuda.FakeGpu;
import org.junit.jupiter.api.Test;

class GuardedBufferTest {

    private final FakeGpu gpu = new FakeGpu();
    private final GuardedBuffer buffer = GuardedBuffer.allocate(gpu, 1000);

    @Test
    void aFreshBufferIsIntactAndAligned() {
        assertThat(RedZones.damage(gpu, buffer)).isEmpty();
        assertThat(buffer.address() % 256).isZero();
    }

    @Test
    void writingTheBufferUpToItsEdgesIsAllowed() {
        gpu.at(buffer.address()).put(0, (byte) 1).put(999, (byte) 2);
        assertThat(RedZones.damage(gpu, buffer)).isEmpty();
    }

    @Test
    void oneByteBeforeIsSeen() {
        gpu.at(buffer.address() - 1).put(0, (byte) 1);
        assertThat(RedZones.damage(gpu, buffer)).hasValue("red zone written 1 bytes before the buffer");
    }

    @Test
    void oneByteBehindIsSeen() {
        gpu.at(buffer.address()).put(1000, (byte) 1);
        assertThat(RedZones.damage(gpu, buffer)).hasValue("red zone written 0 bytes after the buffer");
    }

    @Test
    void refillingRepairsTheZones() {
        gpu.at(buffer.address()).put(1000 + 4095, (byte) 1);
        assertThat(RedZones.damage(gpu, buffer)).isPresent();
        buffer.refill(0x7FFF7FFF);
        assertThat(RedZones.damage(gpu, buffer)).isEmpty();
        assertThat(gpu.at(buffer.address()).getInt(996)).isEqualTo(0x7FFF7FFF);
    }

    @Test
    void anOddNumberOfHalvesHasItsZoneRightBehindIt() {
        GuardedBuffer odd = GuardedBuffer.allocate(gpu, 1002);
        assertThat(RedZones.damage(gpu, odd)).isEmpty();
        gpu.at(odd.address()).putShort(1000, (short) 1);
        assertThat(RedZones.damage(gpu, odd)).isEmpty();
        gpu.at(odd.address()).putShort(1002, (short) 1);
        assertThat(RedZones.damage(gpu, odd)).hasValue("red zone written 0 bytes after the buffer");
        odd.refill(0x7FFF7FFF);
        assertThat(RedZones.damage(gpu, odd)).isEmpty();
        assertThat(gpu.at(odd.address()).getShort(1000)).isEqualTo((short) 0x7FFF);
    }

    @Test
    void refusesOddBytes() {
        assertThatThrownBy(() -> GuardedBuffer.allocate(gpu, 1001)).hasMessageContaining("1001");
    }
}
