// The durable step's exports to other packages.
export {
  decodeSegment,
  encodeSegment,
  packedSize,
  RecordError,
  runId,
  type Segment,
  segmentDigest,
} from './codec.ts';
export { JournalRefused, openFileStore, parseJournal } from './file-store.ts';
export {
  type Entry,
  EntrySchema,
  live,
  PROGRAM_VERSION,
  type Progress,
  type RunIdentity,
  type SignalEntry,
  type Step,
  type Store,
} from './journal.ts';
export { Interrupted, type Replay, replay, type ReplayOptions, Waiting } from './replay.ts';
