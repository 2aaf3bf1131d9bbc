// Which words there are: those of the English page.

import type { en } from "./en";

export type Words = { [K in keyof typeof en]: string };
